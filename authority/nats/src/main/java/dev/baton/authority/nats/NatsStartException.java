package dev.baton.authority.nats;

import dev.baton.core.timing.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** NATS is not fit for use; the message has a line for each reason. */
public final class NatsStartException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    NatsStartException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
