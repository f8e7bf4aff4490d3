package dev.baton.duty.tokens;

import dev.baton.core.Height;
import dev.baton.duty.Tenure;
import dev.baton.duty.tokens.state.Decision;
import dev.baton.duty.tokens.state.Shape;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the tokens that one term has committed ahead, on the caller's thread. Thread-safe, without locks.
 *
 * <p>INV-15: whether the term holds is asked before tokens are taken and again afterwards. If it does not any more, the
 * tokens are never handed out: a successor may have begun meanwhile.
 */
final class LeasedDesk {

    private final Tenure tenure;
    private final int rememberedIds;
    private final Runnable wake;
    private final ConcurrentMap<String, LeasedRange> ranges = new ConcurrentHashMap<>();
    private final Queue<LeasedRange> refills = new ConcurrentLinkedQueue<>();
    private final ConcurrentMap<RequestId, Answer.Handed> ids = new ConcurrentHashMap<>();
    private final Queue<RequestId> idsInOrder = new ConcurrentLinkedQueue<>();
    private final AtomicInteger idCount = new AtomicInteger();

    LeasedDesk(Tenure tenure, int rememberedIds, Runnable wake) {
        this.tenure = tenure;
        this.rememberedIds = rememberedIds;
        this.wake = wake;
    }

    @Nullable
    LeasedRange find(String namespace) {
        return ranges.get(namespace);
    }

    void open(LeasedRange range) {
        ranges.putIfAbsent(range.shape().name(), range);
    }

    void freeze(String namespace, boolean frozen) {
        LeasedRange range = ranges.get(namespace);
        if (range != null) {
            range.freeze(frozen);
        }
    }

    /** The next range that is more than half used. */
    @Nullable
    LeasedRange nextRefill() {
        return refills.poll();
    }

    /** Has a range wait for more tokens. */
    void refill(LeasedRange range) {
        refills.add(range);
    }

    boolean wantsRefill() {
        return !refills.isEmpty();
    }

    /** Answers at once, or not: then the request has to wait for the next entry. */
    @Nullable
    Answer answer(LeasedRange range, Ask ask) {
        Shape shape = range.shape();
        Optional<Decision.Refused> refused = shape.refuses(ask.count(), ask.acceptStep());
        if (refused.isPresent()) {
            return new Answer.Refused(refused.get().reason(), refused.get().message());
        }
        LeasedRange.Cover cover = range.cover();
        Answer answer = take(range, ask, cover.limit(), cover.height(), cover.revision());
        if (answer != null && range.asksForMore(cover)) {
            refill(range);
            wake.run();
        }
        return answer;
    }

    /** Takes tokens up to the limit, or recognises the request; null if neither is possible now. */
    @Nullable
    Answer take(LeasedRange range, Ask ask, long limit, Height height, long revision) {
        Shape shape = range.shape();
        RequestId id = ask.id().orElse(null);
        if (!isOpen(range)) {
            return null;
        }
        if (id != null) {
            Answer.Handed before = ids.get(id);
            if (before != null) {
                return isOpen(range) ? again(before, ask, id) : null;
            }
        }
        long at = range.take(ask.count(), limit);
        if (at < 0 || !isOpen(range)) {
            return null; // tokens that were taken are lost
        }
        Answer.Handed handed = new Answer.Handed(
                shape.name(),
                shape.token(at),
                shape.end(at, ask.count()),
                shape.step(),
                revision,
                tenure.term().epoch(),
                height,
                false);
        if (id != null) {
            Answer.Handed meanwhile = ids.putIfAbsent(id, handed);
            if (meanwhile != null) {
                return again(meanwhile, ask, id);
            }
            forgetOldest(id);
        }
        return handed;
    }

    private boolean isOpen(LeasedRange range) {
        return !range.isFrozen() && !tenure.isQuiet() && tenure.holds();
    }

    /** INV-14, as far as a leased namespace has it: within the term, and as long as it is remembered. */
    private static Answer again(Answer.Handed before, Ask ask, RequestId id) {
        long count = (before.end() - 1 - before.start()) / before.step() + 1;
        return before.namespace().equals(ask.namespace()) && count == ask.count()
                ? new Answer.Handed(
                        before.namespace(),
                        before.start(),
                        before.end(),
                        before.step(),
                        before.revision(),
                        before.epoch(),
                        before.height(),
                        true)
                : new Answer.Refused(
                        Refusal.FOREIGN_ID,
                        "sequence: " + id.sequence() + " of " + id.client()
                                + " was another request (expected: the same namespace and count, or a new number)");
    }

    private void forgetOldest(RequestId newest) {
        idsInOrder.add(newest);
        if (idCount.incrementAndGet() > rememberedIds) {
            RequestId oldest = idsInOrder.poll();
            if (oldest != null) {
                ids.remove(oldest);
                idCount.decrementAndGet();
            }
        }
    }
}
