package dev.baton.duty.mempool.redis;

import dev.baton.core.timing.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** This Redis, or what it holds, is not fit for a pool: somebody has to change something. */
public final class RedisRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    RedisRefusedException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
