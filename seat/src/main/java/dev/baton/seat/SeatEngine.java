package dev.baton.seat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.standing.Input;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Asks the engine, and turns its outcomes into inputs on the loop. */
final class SeatEngine {

    private final SeatAuthority authority;
    private final Candidate self;
    private final Loop loop;
    private final Consumer<Input> inputs;
    private final SeatObserver observer;

    SeatEngine(SeatAuthority authority, Candidate self, Loop loop, Consumer<Input> inputs, SeatObserver observer) {
        this.authority = authority;
        this.self = self;
        this.loop = loop;
        this.inputs = inputs;
        this.observer = observer;
    }

    void promote(Claim claim, Consumer<Seating> heldBy) {
        onLoop(authority.promote(claim, self), promotion -> {
            switch (promotion) {
                case Promotion.Elected(Seating seating, Head head, Ending ended, long sentNanos) ->
                    inputs.accept(new Input.Elected(seating, head, ended, sentNanos, loop.nanos(), loop.wallMillis()));
                case Promotion.Held held -> {
                    heldBy.accept(held.by());
                    notElected("held by " + held.by().term(), true);
                }
                case Promotion.Refused(String why) -> notElected(why, false);
                case Promotion.Unavailable(String why) -> notElected(why, false);
                case Promotion.Indeterminate(String why) -> notElected(why, false);
            }
        });
    }

    private void notElected(String why, boolean held) {
        inputs.accept(new Input.NotElected(why, held, loop.nanos()));
    }

    void append(long attempt, Term term, Entry entry) {
        long sentNanos = loop.nanos();
        onLoop(authority.append(term, entry), appended -> {
            long nowNanos = loop.nanos();
            switch (appended) {
                case Appended.Committed(Entry committed, long renewedNanos) -> {
                    observer.committed(committed, Duration.ofNanos(nowNanos - sentNanos));
                    inputs.accept(new Input.Committed(attempt, committed, renewedNanos, nowNanos));
                }
                case Appended.Fenced(Epoch by) -> inputs.accept(new Input.FencedOff(term, by, nowNanos));
                case Appended.Conflict(Head actual, String why) ->
                    inputs.accept(new Input.InvariantBroken("INV-3: the engine refused " + entry
                            + " of the current term " + term + " at " + actual + ": " + why));
                case Appended.Indeterminate(String why) -> inputs.accept(new Input.WorkFailed(attempt, why, nowNanos));
                case Appended.Unavailable(String why) -> inputs.accept(new Input.WorkFailed(attempt, why, nowNanos));
            }
        });
    }

    /** Tells the consumer, on the loop, when the engine has answered; a failure ends with the lease. */
    void resign(Term term, Runnable done) {
        onLoop(authority.resign(term), resignation -> done.run());
    }

    void look(Consumer<Look> seen) {
        onLoop(authority.look(), seen);
    }

    /** Stages of an engine never fail; one that does is a defect, which must not pass unnoticed. */
    private <R> void onLoop(CompletionStage<R> stage, Consumer<R> then) {
        stage.whenComplete((result, defect) -> loop.post(() -> {
            if (defect == null) {
                then.accept(result);
            } else {
                inputs.accept(new Input.InvariantBroken("the engine's adapter broke: " + defect));
            }
        }));
    }
}
