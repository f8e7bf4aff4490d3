package dev.baton.node;

import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.seat.SeatObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says every change of standing in one line, in words. */
final class SeatLog implements SeatObserver {

    private static final Logger LOG = LoggerFactory.getLogger("dev.baton.seat");

    private final String seat;
    private String lastProblem = "";

    SeatLog(String seat) {
        this.seat = seat;
    }

    @Override
    public void stepped(Standing before, Input input, Step step) {
        if (before.name() != step.next().name()) {
            LOG.info("{}: {}", seat, words(before, step.next(), input));
        }
    }

    private static String words(Standing before, Standing now, Input input) {
        String from = " (was " + before.name() + ")";
        return switch (now) {
            case Standing.Asking ignored -> "asks for the seat" + from;
            case Standing.Opening opening ->
                "elected with epoch " + opening.tenancy().term().epoch() + from;
            case Standing.Leader leader ->
                "leads with epoch " + leader.tenancy().term().epoch() + " from height "
                        + leader.tenancy().head().height() + from;
            case Standing.Quiescing quiescing ->
                "stays still at height " + quiescing.ticket().head().height() + " to hand over to "
                        + quiescing.ticket().target() + from;
            case Standing.Fenced fenced -> "fenced: " + fenced.why() + from;
            case Standing.Paused paused -> "paused: " + paused.why() + from;
            case Standing.Follower ignored -> "follows" + from + cause(input);
        };
    }

    private static String cause(Input input) {
        return switch (input) {
            case Input.NotElected not -> ", not elected: " + not.why();
            case Input.SeatTaken taken ->
                ", the seat is held by " + taken.seating().term();
            case Input.FencedOff fenced -> ", epoch " + fenced.by() + " is in force";
            case Input.Resume ignored -> ", resumed";
            case Input.Probed ignored -> ", healthy again";
            default -> "";
        };
    }

    /** A problem that stays is told once; an election that was not won is told by the standing already. */
    @Override
    public void problem(String what) {
        if (!what.equals(lastProblem) && !what.startsWith("not elected")) {
            lastProblem = what;
            LOG.warn("{}: {}", seat, what);
        }
    }

    @Override
    public void alarm(String what) {
        LOG.error("{}: {}", seat, what);
    }
}
