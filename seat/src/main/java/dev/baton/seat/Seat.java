package dev.baton.seat;

import dev.baton.authority.Authority;
import dev.baton.authority.Candidate;
import dev.baton.core.Entry;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.standing.SeatRules;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Duty;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The door for a program that wants to hold a seat.
 *
 * <pre>{@code
 * try (JoinedSeat seat = Seat.of("demo", "jobs").contender("n1").join(authority, holding -> {
 *     while (holding.holds()) {
 *         holding.append(nextJob());
 *     }
 * })) { … }
 * }</pre>
 *
 * <p>Set what differs from the defaults, then join. Not thread-safe; the {@link JoinedSeat} is.
 */
public final class Seat {

    private static final SecureRandom INCARNATIONS = new SecureRandom();

    private final SeatId id;
    private Holder holder = newHolder(new NodeId("node"));
    private String address = "";
    private SeatTimings timings = SeatTimings.DEFAULT;
    private LedgerLimits keep = LedgerLimits.DEFAULT;
    private SeatObserver observer = SeatObserver.NONE;
    private Consumer<String> halt = why -> Runtime.getRuntime().halt(JoinedSeat.EXIT_CANNOT_STOP);

    private Seat(SeatId id) {
        this.id = id;
    }

    public static Seat of(String cluster, String seat) {
        return of(SeatId.of(cluster, seat));
    }

    public static Seat of(SeatId id) {
        return new Seat(id);
    }

    /** A new incarnation of a node: what a process that just started calls itself. */
    public static Holder newHolder(NodeId node) {
        return new Holder(node, new Incarnation(INCARNATIONS.nextLong()));
    }

    /** The name of this node; it stands for the seat in a new incarnation. */
    public Seat contender(String node) {
        return contender(newHolder(new NodeId(node)));
    }

    public Seat contender(Holder self) {
        this.holder = self;
        return this;
    }

    /** Where clients reach this node while it holds the seat; the engine tells them. */
    public Seat reachableAt(String hostAndPort) {
        this.address = hostAndPort;
        return this;
    }

    public Seat timings(SeatTimings times) {
        this.timings = times;
        return this;
    }

    public Seat keep(LedgerLimits limits) {
        this.keep = limits;
        return this;
    }

    public Seat observedBy(SeatObserver watcher) {
        this.observer = watcher;
        return this;
    }

    /**
     * What to do when a term's deadline passed and its duty cannot be stopped. The default halts the process, because
     * nothing else is safe.
     */
    public Seat onCannotStop(Consumer<String> last) {
        this.halt = last;
        return this;
    }

    /** Runs the task whenever this node holds the seat. */
    public JoinedSeat join(Authority authority, Task task) {
        return join(authority, task, entry -> {});
    }

    /** Also hears of every committed entry, whoever wrote it. */
    public JoinedSeat join(Authority authority, Task task, Consumer<Entry> committed) {
        return join(authority, new TaskDuty(task, committed));
    }

    /** Serves the seat with a duty of its own. */
    public JoinedSeat join(Authority authority, Duty duty) {
        List<Fault> faults = timings.faults("");
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
        }
        SeatRules rules = new SeatRules(id, holder.node(), duty.fencing(), timings, SeatRules.DEFAULT_POLL);
        return JoinedSeat.onThreads(
                new SeatParts(
                        rules,
                        new Candidate(holder, address),
                        authority.seat(id),
                        duty,
                        keep,
                        SeatParts.DEFAULT_MAX_LAG,
                        observer),
                halt);
    }
}
