package dev.baton.authority.etcd.seat;

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
import dev.baton.authority.etcd.wire.Bound;
import dev.baton.authority.etcd.wire.Members;
import dev.baton.authority.etcd.wire.Reply;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * One seat in etcd. It remembers nothing: every call asks etcd, and etcd's transactions decide.
 *
 * <p>Reads are linearizable. So whatever this object has reported, or anybody else's, is in them.
 */
public final class EtcdSeat implements SeatAuthority {

    private final SeatId id;
    private final SeatLine line;
    private final Runnable committed;
    private final Set<SeatWatch> watches = ConcurrentHashMap.newKeySet();

    /**
     * A seat.
     *
     * @param committed told after each commit: whoever commits holds the seat, and may look after the engine
     */
    public EtcdSeat(SeatId id, Members members, long leaseSeconds, Runnable committed) {
        SeatKeys keys = SeatKeys.of(id);
        this.id = id;
        this.line = new SeatLine(keys, new Transactions(keys), members, leaseSeconds);
        this.committed = committed;
    }

    @Override
    public SeatId id() {
        return id;
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        return new Candidacy(id, line, claim, candidate).run();
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        return new Appending(id, line, term, entry).run().thenApply(outcome -> {
            if (outcome instanceof Appended.Committed) {
                committed.run();
            }
            return outcome;
        });
    }

    @Override
    public CompletionStage<Resignation> resign(Term term) {
        return line.commit(line.transactions().resign(term), line.bound()).thenApply(reply -> {
            if (!(reply instanceof Reply.Got<TxnResponse> got)) {
                return new Resignation.Unknown(Reply.trouble(reply));
            }
            if (got.value().getSucceeded()) {
                line.revoke(
                        got.value().getResponses(0).getResponseRange().getKvs(0).getLease());
            }
            return new Resignation.Done();
        });
    }

    @Override
    public CompletionStage<Page> read(Height from, PageLimit limit) {
        return new Reading(id, line, from, limit).run();
    }

    @Override
    public CompletionStage<Trim> trim(Term term, Height below) {
        Bound by = line.bound();
        return line.look(by).thenCompose(reply -> switch (reply) {
            case Reply.Got<RangeResponse> got -> trim(term, below, line.state(got.value()), by);
            default -> CompletableFuture.completedFuture(new Trim.Unknown(Reply.trouble(reply)));
        });
    }

    /** The head only moves up, so the one that was seen is a safe bound for what may go. */
    private CompletionStage<Trim> trim(Term term, Height below, SeatState seen, Bound by) {
        Height head = seen.head().height();
        Height keepFrom = below.isAbove(head) ? head : below;
        if (!seen.isHeldBy(term) || !keepFrom.isAbove(seen.oldest())) {
            return CompletableFuture.completedFuture(trimmed(term, seen));
        }
        return line.commit(line.transactions().trim(term, seen.oldest(), keepFrom), by)
                .thenApply(reply -> switch (reply) {
                    case Reply.Got<TxnResponse> got ->
                        trimmed(term, line.state(got.value(), got.value().getSucceeded() ? 2 : 0));
                    default -> new Trim.Unknown(Reply.trouble(reply));
                });
    }

    private static Trim trimmed(Term term, SeatState now) {
        return now.isHeldBy(term) ? new Trim.Done(now.oldest()) : new Trim.Fenced(now.fencing(term));
    }

    @Override
    public CompletionStage<Look> look() {
        return line.look(line.bound()).thenApply(reply -> switch (reply) {
            case Reply.Got<RangeResponse> got -> line.state(got.value()).asLook();
            default -> new Look.Unavailable(Reply.trouble(reply));
        });
    }

    /** What each member has of this seat now, at its own word. Comes within a second. */
    public CompletionStage<List<MemberState>> members() {
        return new Survey(line).run();
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        SeatWatch watch = new SeatWatch(line, listener, watches::remove);
        watches.add(watch);
        watch.start();
        return watch;
    }

    /** Ends all watches. */
    public void close() {
        watches.forEach(SeatWatch::close);
    }
}
