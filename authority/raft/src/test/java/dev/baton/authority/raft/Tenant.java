package dev.baton.authority.raft;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One of several nodes that share a member. It can leave without taking the member along. */
final class Tenant implements Authority {

    private static final String GONE = "this tenant has left";

    private final Authority member;
    private final Map<SeatId, SeatAuthority> seats = new ConcurrentHashMap<>();
    private final List<SeatAuthority.Watch> watches = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    Tenant(Authority member) {
        this.member = member;
    }

    @Override
    public String kind() {
        return member.kind();
    }

    @Override
    public SeatAuthority seat(SeatId seat) {
        return seats.computeIfAbsent(seat, id -> new TenantSeat(member.seat(id)));
    }

    @Override
    public void close() {
        closed = true;
        watches.forEach(SeatAuthority.Watch::close);
    }

    private final class TenantSeat implements SeatAuthority {

        private final SeatAuthority seat;

        TenantSeat(SeatAuthority seat) {
            this.seat = seat;
        }

        private <R> CompletionStage<R> pass(Supplier<CompletionStage<R>> request, R gone) {
            return closed ? CompletableFuture.completedStage(gone) : request.get();
        }

        @Override
        public SeatId id() {
            return seat.id();
        }

        @Override
        public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
            return pass(() -> seat.promote(claim, candidate), new Promotion.Unavailable(GONE));
        }

        @Override
        public CompletionStage<Appended> append(Term term, Entry entry) {
            return pass(() -> seat.append(term, entry), new Appended.Unavailable(GONE));
        }

        @Override
        public CompletionStage<Resignation> resign(Term term) {
            return pass(() -> seat.resign(term), new Resignation.Unknown(GONE));
        }

        @Override
        public CompletionStage<Page> read(Height from, PageLimit limit) {
            return pass(() -> seat.read(from, limit), new Page.Unavailable(GONE));
        }

        @Override
        public CompletionStage<Trim> trim(Term term, Height below) {
            return pass(() -> seat.trim(term, below), new Trim.Unknown(GONE));
        }

        @Override
        public CompletionStage<Look> look() {
            return pass(seat::look, new Look.Unavailable(GONE));
        }

        @Override
        public Watch watch(Consumer<SeatEvent> listener) {
            Watch watch = seat.watch(listener);
            watches.add(watch);
            return watch;
        }
    }
}
