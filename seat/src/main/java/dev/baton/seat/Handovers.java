package dev.baton.seat;

import dev.baton.core.Claim;
import dev.baton.core.standing.Standing;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Remembers who waits for the outcome of a handoff step. Runs on the driver's loop. */
final class Handovers {

    private @Nullable CompletableFuture<Handover> waiting;

    /** Somebody asks; whoever asked before is told that it was overtaken. */
    void asked(CompletableFuture<Handover> answer) {
        lapse("another request came after it");
        waiting = answer;
    }

    void answer(Handover handover) {
        if (waiting != null) {
            waiting.complete(handover);
            waiting = null;
        }
    }

    void lapse(String why) {
        answer(new Handover.Refused(why));
    }

    /** Some answers are the standing that was reached. */
    void stepped(Standing before, Standing after) {
        boolean opened = before instanceof Standing.Opening && after instanceof Standing.Leader;
        if (opened) {
            answer(new Handover.Taken(((Standing.Leader) after).tenancy().term()));
        } else if (before instanceof Standing.Quiescing && after instanceof Standing.Leader) {
            answer(new Handover.Aborted());
        } else if (before instanceof Standing.Asking asking
                && asking.claim() instanceof Claim.ByTicket
                && after instanceof Standing.Follower) {
            lapse("the engine did not accept the ticket");
        } else if (before instanceof Standing.Tenured && !(after instanceof Standing.Tenured)) {
            lapse("the term ended: the node is now " + after.name());
        }
    }
}
