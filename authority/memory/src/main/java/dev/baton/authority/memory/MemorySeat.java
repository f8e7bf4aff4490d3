package dev.baton.authority.memory;

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
import dev.baton.authority.memory.FaultPlan.Call;
import dev.baton.authority.memory.MemoryAuthority.Request;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One seat as a connection sees it: each call becomes a request. */
final class MemorySeat implements SeatAuthority {

    private final SeatId id;
    private final MemoryAuthority connection;
    private final MemoryEngine engine;

    MemorySeat(SeatId id, MemoryAuthority connection, MemoryEngine engine) {
        this.id = id;
        this.connection = connection;
        this.engine = engine;
    }

    @Override
    public SeatId id() {
        return id;
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        long sentNanos = engine.now();
        return connection.send(new Request<>(
                Call.PROMOTE,
                id,
                (seat, nowNanos) -> seat.promote(claim, candidate, sentNanos, nowNanos),
                Promotion.Unavailable::new,
                Promotion.Indeterminate::new));
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        long sentNanos = engine.now();
        return connection.send(new Request<>(
                Call.APPEND,
                id,
                (seat, nowNanos) -> seat.append(term, entry, sentNanos, nowNanos),
                Appended.Unavailable::new,
                Appended.Indeterminate::new));
    }

    @Override
    public CompletionStage<Resignation> resign(Term term) {
        return connection.send(new Request<>(
                Call.RESIGN,
                id,
                (seat, nowNanos) -> seat.resign(term, nowNanos),
                Resignation.Unknown::new,
                Resignation.Unknown::new));
    }

    @Override
    public CompletionStage<Page> read(Height from, PageLimit limit) {
        return connection.send(new Request<>(
                Call.READ,
                id,
                (seat, nowNanos) -> seat.read(from, limit),
                Page.Unavailable::new,
                Page.Unavailable::new));
    }

    @Override
    public CompletionStage<Trim> trim(Term term, Height below) {
        return connection.send(new Request<>(
                Call.TRIM,
                id,
                (seat, nowNanos) -> seat.trim(term, below, nowNanos),
                Trim.Unknown::new,
                Trim.Unknown::new));
    }

    @Override
    public CompletionStage<Look> look() {
        return connection.send(
                new Request<>(Call.LOOK, id, SeatRecord::look, Look.Unavailable::new, Look.Unavailable::new));
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        MemoryWatch watch = new MemoryWatch(id, listener, connection::remove);
        connection.add(watch);
        return watch;
    }
}
