package dev.baton.node;

import dev.baton.node.config.HostPort;
import java.io.IOException;

/** A node cannot start; the message says what stands there, what was expected, and what to do. */
public final class NodeFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    public NodeFailure(ExitCode code, String message) {
        super(message);
        this.code = code;
    }

    public NodeFailure(ExitCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Somebody else listens there already, or the address is not one of this machine's. */
    static NodeFailure cannotListen(String key, HostPort address, IOException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new NodeFailure(
                ExitCode.PORT_IN_USE,
                key + ": " + address + " cannot be listened on: " + cause.getMessage()
                        + " (expected: a free port of this machine; stop whoever uses " + address.port()
                        + ", or configure another)",
                e);
    }

    public ExitCode code() {
        return code;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
