package dev.baton.chaos.nemesis;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.workload.Recorder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Carries a plan out: each fault by a thread of its own, which begins it, waits, and undoes it. */
public final class Nemesis implements AutoCloseable {

    /**
     * What is done unless other kinds are named. An engine that loses a second is not among them: it needs servers that
     * promise less than they do otherwise.
     */
    public static final Set<FaultKind> KINDS =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(FaultKind.ENGINE_ROLLBACK)));

    private static final Duration LAST_REPAIRS = Duration.ofSeconds(5);

    private final Recorder recorder;
    private final Hand hand;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<Integer, String> inForce = new ConcurrentHashMap<>();
    private final AtomicInteger done = new AtomicInteger();

    public Nemesis(Cluster cluster, Recorder recorder) {
        this(recorder, handOn(new ProcessFaults(cluster), new LinkFaults(cluster)));
    }

    Nemesis(Recorder recorder, Hand hand) {
        this.recorder = recorder;
        this.hand = hand;
    }

    /** Begins faults; tests have one of their own. */
    interface Hand {
        Begun begin(PlannedFault fault) throws IOException, InterruptedException, NotPossibleException;
    }

    /** A fault that has begun, and how to undo it. */
    interface Begun {
        List<String> targets();

        default Map<String, String> parameters() {
            return Map.of();
        }

        /** Undoes it; returns when all is as it was before. */
        void end() throws IOException, InterruptedException;
    }

    /** Something stood in the way of a fault. */
    static final class NotPossibleException extends Exception {
        private static final long serialVersionUID = 1L;

        NotPossibleException(String why) {
            super(why);
        }
    }

    public void begin(List<PlannedFault> plan) {
        for (PlannedFault fault : plan) {
            threads.add(Thread.ofVirtual().name("fault " + fault.id()).start(() -> carryOut(fault)));
        }
    }

    private void carryOut(PlannedFault fault) {
        try {
            TimeUnit.NANOSECONDS.sleep(fault.atNanos() - recorder.nowNanos());
            long beganNanos = recorder.nowNanos();
            Begun begun = hand.begin(fault);
            Map<String, String> parameters = new TreeMap<>(fault.parameters());
            parameters.putAll(begun.parameters());
            recorder.append(new Event.FaultBegan(beganNanos, fault.id(), fault.kind(), begun.targets(), parameters));
            inForce.put(fault.id(), fault.kind().label() + " " + String.join(",", begun.targets()));
            try {
                if (fault.kind() != FaultKind.ROLLING_RESTART) { // which lasts as long as it takes
                    TimeUnit.NANOSECONDS.sleep(fault.lastingNanos());
                }
            } finally {
                begun.end();
                inForce.remove(fault.id());
            }
            recorder.append(new Event.FaultEnded(recorder.nowNanos(), fault.id()));
            done.incrementAndGet();
        } catch (IOException | NotPossibleException e) {
            failed(fault, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // as of a folder that changes while it is copied
            failed(fault, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void failed(PlannedFault fault, String why) {
        inForce.remove(fault.id());
        recorder.append(new Event.FaultFailed(recorder.nowNanos(), fault.id(), why));
    }

    private static Hand handOn(ProcessFaults processFaults, LinkFaults linkFaults) {
        return fault -> switch (fault.kind()) {
            case KILL,
                    PAUSE,
                    CLOCK,
                    ENGINE_RESTART,
                    ENGINE_ROLLBACK,
                    ENGINE_EMPTY,
                    DISK_FULL,
                    SLOW_FSYNC,
                    HANDOFF,
                    ROLLING_RESTART -> processFaults.begin(fault);
            case PARTITION, LATENCY, LOSS, THROTTLE, CORRUPT, TRUNCATE, HALF_OPEN, CLIENT_CUT, FALSE_EVIDENCE ->
                linkFaults.begin(fault);
        };
    }

    /** Waits until every fault is over; false if some still are not. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        for (Thread each : threads) {
            if (!each.join(Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())))) {
                return false;
            }
        }
        return true;
    }

    /** What is in force now, in words. */
    public List<String> inForce() {
        return List.copyOf(new TreeMap<>(inForce).values());
    }

    /** How many faults were done and undone. */
    public int done() {
        return done.get();
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        try {
            awaitEnd(LAST_REPAIRS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
