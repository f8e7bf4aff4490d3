package dev.baton.sim;

import dev.baton.authority.Appended;
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
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** An engine as a process with a clock of its own sees it: send times are on that clock. */
class ClockedAuthority implements SeatAuthority {

    private final SeatAuthority engine;
    private final LongSupplier nanos;

    ClockedAuthority(SeatAuthority engine, LongSupplier nanos) {
        this.engine = engine;
        this.nanos = nanos;
    }

    @Override
    public SeatId id() {
        return engine.id();
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        long sentNanos = nanos.getAsLong();
        return engine.promote(claim, candidate)
                .thenApply(promotion -> promotion instanceof Promotion.Elected elected
                        ? new Promotion.Elected(
                                elected.seating(), elected.head(), elected.predecessorEnded(), sentNanos)
                        : promotion);
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        long sentNanos = nanos.getAsLong();
        return engine.append(term, entry)
                .thenApply(appended -> appended instanceof Appended.Committed committed
                        ? new Appended.Committed(committed.entry(), sentNanos)
                        : appended);
    }

    @Override
    public CompletionStage<Resignation> resign(Term term) {
        return engine.resign(term);
    }

    @Override
    public CompletionStage<Page> read(Height from, PageLimit limit) {
        return engine.read(from, limit);
    }

    @Override
    public CompletionStage<Trim> trim(Term term, Height below) {
        return engine.trim(term, below);
    }

    @Override
    public CompletionStage<Look> look() {
        return engine.look();
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        return engine.watch(listener);
    }
}
