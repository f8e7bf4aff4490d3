package dev.baton.seat;

import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.core.timing.Deadlines;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a node stands with one seat, at one moment.
 *
 * @param holder who holds the seat, as far as this node knows
 * @param head the last committed entry that this node knows of
 * @param applied how far this node's duty is
 * @param headSeenNanos when {@code head} was learnt, on the monotonic clock
 * @param lastProblem the last failure, empty if there was none
 */
public record SeatStatus(
        SeatId seat,
        NodeId self,
        Standing standing,
        @Nullable Seating holder,
        Head head,
        Height applied,
        Readiness readiness,
        long headSeenNanos,
        String lastProblem) {

    SeatStatus appliedUpTo(Height height) {
        return new SeatStatus(seat, self, standing, holder, head, height, readiness, headSeenNanos, lastProblem);
    }

    public Optional<Seating> currentHolder() {
        return Optional.ofNullable(holder);
    }

    public boolean leads() {
        return standing instanceof Standing.Leader || standing instanceof Standing.Quiescing;
    }

    /**
     * Whether this node leads at this moment, on the monotonic clock. A process that was paused wakes up with the standing
     * that it had: whoever is told of it must be told by the deadline (INV-6), and not once the watchdog has run.
     */
    public boolean leadsAt(long nowNanos) {
        return leads()
                && standing instanceof Standing.Tenured tenured
                && !Deadlines.isPast(tenured.tenancy().deadlineNanos(), nowNanos);
    }

    /** Why this node does or does not lead, in words. */
    public String explain() {
        String held = holder == null
                ? "Nobody holds " + seat.seat() + "."
                : holder.term().node() + " holds " + seat.seat() + " since epoch "
                        + holder.term().epoch() + ".";
        return switch (standing) {
            case Standing.Leader ignored -> self + " leads. " + progress();
            case Standing.Quiescing q ->
                self + " still leads, but has promised to stay still at height "
                        + q.ticket().head().height() + " until " + q.ticket().target()
                        + " takes over or the handoff is aborted.";
            case Standing.Opening o ->
                self + " was elected with epoch "
                        + o.tenancy().term().epoch() + " and is taking over: "
                        + o.tenancy().work().getClass().getSimpleName() + "." + problem();
            case Standing.Asking ignored -> self + " has asked for the seat and waits for the answer.";
            case Standing.Fenced f ->
                self + " does not lead because it was fenced: " + f.why() + ". It comes back after "
                        + "enough successful probes in a row (now " + f.probes() + "). " + held + problem();
            case Standing.Paused p ->
                self + " does not lead because it is paused: " + p.why() + ". Resume it to let it stand again. " + held;
            case Standing.Follower ignored ->
                switch (readiness) {
                    case Readiness.NotReady(String why) ->
                        self + " does not lead because it is not ready: " + why + ". " + held;
                    case Readiness.Ready() ->
                        holder == null
                                ? self + " is ready and will ask for the seat." + problem()
                                : self + " does not lead because "
                                        + holder.term().node() + " does (epoch "
                                        + holder.term().epoch() + "); it is ready to take over.";
                };
        };
    }

    private String progress() {
        return "Head is " + head.height() + ".";
    }

    private String problem() {
        return lastProblem.isEmpty() ? "" : " Last problem: " + lastProblem + ".";
    }
}
