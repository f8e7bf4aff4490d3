package dev.baton.seat;

import dev.baton.authority.Appended;
import dev.baton.authority.Authority;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.Trim;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose answer to one look stays under way until the test lets it arrive, and that refuses tickets as often as
 * it is told to.
 */
final class SlowSight implements Authority {

    /** A look that was answered, and has not arrived. */
    private record Held(Look answer, CompletableFuture<Look> arrival) {}

    private final Authority engine;
    private final AtomicBoolean holdNext = new AtomicBoolean();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicReference<@Nullable Held> held = new AtomicReference<>();

    SlowSight(Authority engine) {
        this.engine = engine;
    }

    void refuseTickets(int count) {
        refusals.set(count);
    }

    void holdNextLook() {
        holdNext.set(true);
    }

    boolean holdsALook() {
        return held.get() != null;
    }

    void answerNow() {
        Held now = held.getAndSet(null);
        if (now == null) {
            throw new AssertionError("no look is held");
        }
        now.arrival().complete(now.answer());
    }

    @Override
    public String kind() {
        return engine.kind();
    }

    @Override
    public SeatAuthority seat(SeatId seat) {
        return new SlowSeat(engine.seat(seat));
    }

    @Override
    public void close() {
        engine.close();
    }

    private final class SlowSeat implements SeatAuthority {
        private final SeatAuthority seat;

        SlowSeat(SeatAuthority seat) {
            this.seat = seat;
        }

        @Override
        public CompletionStage<Look> look() {
            if (!holdNext.getAndSet(false)) {
                return seat.look();
            }
            CompletableFuture<Look> arrival = new CompletableFuture<>();
            held.set(new Held(seat.look().toCompletableFuture().join(), arrival));
            return arrival;
        }

        @Override
        public SeatId id() {
            return seat.id();
        }

        @Override
        public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
            if (claim instanceof Claim.ByTicket && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return CompletableFuture.completedFuture(new Promotion.Refused("not now"));
            }
            return seat.promote(claim, candidate);
        }

        @Override
        public CompletionStage<Appended> append(Term term, Entry entry) {
            return seat.append(term, entry);
        }

        @Override
        public CompletionStage<Resignation> resign(Term term) {
            return seat.resign(term);
        }

        @Override
        public CompletionStage<Page> read(Height from, PageLimit limit) {
            return seat.read(from, limit);
        }

        @Override
        public CompletionStage<Trim> trim(Term term, Height below) {
            return seat.trim(term, below);
        }

        @Override
        public Watch watch(Consumer<SeatEvent> listener) {
            return seat.watch(listener);
        }
    }
}
