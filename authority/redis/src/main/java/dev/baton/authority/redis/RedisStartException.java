package dev.baton.authority.redis;

import dev.baton.core.timing.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** The Redis nodes are not fit for use; the message has a line for each reason. */
public final class RedisStartException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    RedisStartException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
