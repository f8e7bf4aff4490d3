package dev.baton.authority.etcd.seat;

import dev.baton.authority.Appended;
import dev.baton.authority.etcd.wire.Bound;
import dev.baton.authority.etcd.wire.Refusal;
import dev.baton.authority.etcd.wire.Reply;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.LedgerRule;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One entry's way into the ledger: one transaction, then one renewal of the lease.
 *
 * <p>A write does not renew a lease in etcd, so the renewal follows, and nothing else ever renews: a holder that cannot
 * commit loses its seat. INV-6: what is reported is the send of the <em>transaction</em>, not that of the renewal. A
 * renewal may be acknowledged by a leader that is being deposed; but its successor was elected after the transaction
 * was sent, and gave every lease its full time anew, so the seat is safe for a lease from that send in either case.
 */
final class Appending {

    private static final String NO_SPACE =
            " (expected: room in etcd; its alarm NOSPACE is on. Compact and defragment the members or raise"
                    + " --quota-backend-bytes, then run etcdctl alarm disarm)";

    private final SeatId seat;
    private final SeatLine line;
    private final Term term;
    private final Entry entry;
    private final Bound by;

    Appending(SeatId seat, SeatLine line, Term term, Entry entry) {
        this.seat = seat;
        this.line = line;
        this.term = term;
        this.entry = entry;
        this.by = line.bound();
    }

    CompletableFuture<Appended> run() {
        return line.commit(line.transactions().append(term, entry), by).thenCompose(reply -> switch (reply) {
            case Reply.Got<TxnResponse> got -> {
                List<KeyValue> holder =
                        got.value().getResponses(0).getResponseRange().getKvsList();
                yield got.value().getSucceeded()
                        ? renew(holder.getFirst().getLease(), got.sentNanos())
                        : judge(got.value(), got.sentNanos());
            }
            case Reply.Refused<TxnResponse> refused -> refused(refused);
            case Reply.Unsent<TxnResponse> unsent -> done(new Appended.Unavailable(unsent.why()));
            case Reply.Lost<TxnResponse> lost -> done(new Appended.Indeterminate(lost.why()));
        });
    }

    private CompletableFuture<Appended> refused(Reply.Refused<TxnResponse> refused) {
        if (refused.refusal() == Refusal.NO_SPACE) {
            return withoutSpace(refused);
        }
        String why = refused.refusal() == Refusal.TOO_LARGE
                ? refused.why() + ": " + entry + " with a payload of "
                        + entry.payload().size() + " bytes (expected: less than etcd's --max-request-bytes, 1.5 MiB"
                        + " by default)"
                : refused.why();
        return done(refused.afterLoss() ? new Appended.Indeterminate(why) : new Appended.Unavailable(why));
    }

    /** etcd raises the alarm by a write that it still carries out, so only a look tells. */
    private CompletableFuture<Appended> withoutSpace(Reply.Refused<TxnResponse> refused) {
        return line.commit(line.transactions().whatStandsAt(entry.height()), by).thenCompose(reply -> {
            if (!(reply instanceof Reply.Got<TxnResponse> got)) {
                return done(new Appended.Indeterminate(refused.why() + NO_SPACE));
            }
            SeatState now = line.state(got.value(), 0);
            boolean absent = now.isHeldBy(term) && LedgerRule.relate(entry, now.head()) == LedgerRule.NEXT;
            if (!absent) {
                return judge(got.value(), got.sentNanos());
            }
            String why = refused.why() + NO_SPACE;
            return done(refused.afterLoss() ? new Appended.Indeterminate(why) : new Appended.Unavailable(why));
        });
    }

    /** What the else-branch saw: the term is over, or the entry stands there already, or another one does. */
    private CompletableFuture<Appended> judge(TxnResponse seen, long sentNanos) {
        SeatState now = line.state(seen, 0);
        if (!now.isHeldBy(term)) {
            return done(new Appended.Fenced(now.fencing(term)));
        }
        return switch (LedgerRule.relate(entry, now.head())) {
            case SAME_AS_HEAD -> renew(now.leaseId().orElseThrow(), sentNanos);
            case BELOW -> {
                if (entry.height().isBelow(now.oldest())) {
                    yield conflict(now, "trimmed (the ledger begins at " + now.oldest() + ")");
                }
                List<KeyValue> stored = seen.getResponses(1).getResponseRange().getKvsList();
                Entry there =
                        EntryCodec.decode(seat, stored.getFirst().getValue().asReadOnlyByteBuffer());
                yield there.equals(entry)
                        ? renew(now.leaseId().orElseThrow(), sentNanos)
                        : conflict(now, "another stands there: " + there);
            }
            case GAP -> conflict(now, "leaves a gap after head " + now.head());
            case OTHER_PARENT ->
                conflict(now, "parent " + entry.parent().toShortString() + " (expected: " + now.head() + ")");
            case NEXT -> throw new IllegalStateException(entry + " follows " + now.head() + " and was not taken");
        };
    }

    private CompletableFuture<Appended> conflict(SeatState now, String why) {
        return done(new Appended.Conflict(now.head(), entry + ": " + why));
    }

    /** The entry is durable; {@code Committed} waits for the lease as well. The same entry again tells. */
    private CompletableFuture<Appended> renew(long leaseId, long sentNanos) {
        return line.renew(leaseId, by).thenCompose(reply -> switch (reply) {
            case Reply.Got<LeaseKeepAliveResponse> got ->
                got.value().getTTL() > 0 ? done(new Appended.Committed(entry, sentNanos)) : leaseIsGone();
            default -> done(new Appended.Indeterminate("the lease was not renewed: " + Reply.trouble(reply)));
        });
    }

    private CompletableFuture<Appended> leaseIsGone() {
        return line.look(by).thenApply(reply -> {
            if (reply instanceof Reply.Got<RangeResponse> got) {
                SeatState now = line.state(got.value());
                if (!now.isHeldBy(term)) {
                    return new Appended.Fenced(now.fencing(term));
                }
            }
            return new Appended.Indeterminate("the lease of term " + term + " is running out");
        });
    }

    private static CompletableFuture<Appended> done(Appended outcome) {
        return CompletableFuture.completedFuture(outcome);
    }
}
