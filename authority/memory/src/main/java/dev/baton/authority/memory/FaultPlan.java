package dev.baton.authority.memory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/** Decides for each request of a connection what the network does to it. Asked once per request, in order. */
@FunctionalInterface
public interface FaultPlan {

    FaultPlan NONE = call -> Fault.NONE;

    Fault on(Call call);

    /** What a request asks for. */
    enum Call {
        PROMOTE,
        APPEND,
        RESIGN,
        READ,
        TRIM,
        LOOK
    }

    /** These faults for the next requests of this kind, one each; every other request passes. */
    static FaultPlan next(Call kind, Fault... faults) {
        Queue<Fault> left = new ArrayDeque<>(Arrays.asList(faults));
        return call -> {
            Fault fault = call == kind ? left.poll() : null;
            return fault == null ? Fault.NONE : fault;
        };
    }
}
