package dev.baton.authority.tck;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An authority whose replies can be lost and whose requests can arrive twice.
 *
 * <p>It stands in front of any engine: the request is forwarded, the engine decides, and the caller honestly does not
 * know. A lost reply is reported only after the engine has answered, so a test knows what it stands on.
 */
final class LossyAuthority implements Authority {

    private final Authority engine;
    private final AtomicBoolean loseNext = new AtomicBoolean();
    private final List<Supplier<CompletionStage<?>>> requests = new ArrayList<>();

    LossyAuthority(Authority engine) {
        this.engine = engine;
    }

    /** The next request that changes something takes effect, but its caller is told that nobody knows. */
    void loseNextReply() {
        loseNext.set(true);
    }

    /** Every request so far arrives once more, in the same order; the replies go nowhere. */
    void repeatAll() {
        List<Supplier<CompletionStage<?>>> copies;
        synchronized (requests) {
            copies = List.copyOf(requests);
        }
        copies.forEach(copy -> Answers.of(copy.get()));
    }

    private <R> CompletionStage<R> pass(Supplier<CompletionStage<R>> request, Function<String, R> unknown) {
        synchronized (requests) {
            requests.add(request::get);
        }
        boolean lose = loseNext.getAndSet(false);
        return request.get().thenApply(reply -> lose ? unknown.apply("the reply was lost") : reply);
    }

    @Override
    public String kind() {
        return engine.kind();
    }

    @Override
    public SeatAuthority seat(SeatId seat) {
        return new LossySeat(engine.seat(seat));
    }

    @Override
    public void close() {
        engine.close();
    }

    private final class LossySeat implements SeatAuthority {

        private final SeatAuthority seat;

        LossySeat(SeatAuthority seat) {
            this.seat = seat;
        }

        @Override
        public SeatId id() {
            return seat.id();
        }

        @Override
        public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
            return pass(() -> seat.promote(claim, candidate), Promotion.Indeterminate::new);
        }

        @Override
        public CompletionStage<Appended> append(Term term, Entry entry) {
            return pass(() -> seat.append(term, entry), Appended.Indeterminate::new);
        }

        @Override
        public CompletionStage<Resignation> resign(Term term) {
            return pass(() -> seat.resign(term), Resignation.Unknown::new);
        }

        @Override
        public CompletionStage<Trim> trim(Term term, Height below) {
            return pass(() -> seat.trim(term, below), Trim.Unknown::new);
        }

        @Override
        public CompletionStage<Page> read(Height from, PageLimit limit) {
            return seat.read(from, limit);
        }

        @Override
        public CompletionStage<Look> look() {
            return seat.look();
        }

        @Override
        public Watch watch(Consumer<SeatEvent> listener) {
            return seat.watch(listener);
        }
    }
}
