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
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** An engine with something in between. */
abstract class DecoratedAuthority implements SeatAuthority {

    private final SeatAuthority engine;

    DecoratedAuthority(SeatAuthority engine) {
        this.engine = engine;
    }

    @Override
    public SeatId id() {
        return engine.id();
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        return engine.promote(claim, candidate);
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        return engine.append(term, entry);
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
    public Optional<Fact> rider() {
        return engine.rider();
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        return engine.watch(listener);
    }
}
