package dev.baton.authority.redis.script;

import java.util.List;

/** A call as it is sent: its last argument is a {@link Seal} over all the rest. */
public final class SealedCall {

    private final ScriptCall call;
    private final List<byte[]> arguments;
    private final Seal seal;

    private SealedCall(ScriptCall call, List<byte[]> arguments, Seal seal) {
        this.call = call;
        this.arguments = arguments;
        this.seal = seal;
    }

    static SealedCall of(ScriptCall call, List<byte[]> arguments) {
        Seal seal = Seal.of(call.keys(), arguments);
        arguments.add(seal.bytes());
        return new SealedCall(call, arguments, seal);
    }

    /** What is sent here, before it was bound to a connection. */
    public ScriptCall unbound() {
        return call;
    }

    public Script script() {
        return call.script();
    }

    public List<byte[]> keys() {
        return call.keys();
    }

    public List<byte[]> arguments() {
        return arguments;
    }

    /** Whether these are the answer's bytes as the script gave them, and to this very call. */
    public boolean isAnsweredBy(List<?> answer) {
        return seal.fits(answer);
    }
}
