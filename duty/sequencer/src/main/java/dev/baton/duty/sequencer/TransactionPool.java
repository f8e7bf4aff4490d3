package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockBodyCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The transactions that wait for a block of the present term.
 *
 * <p>Each is in one of three places, and never in two: waiting, reserved for the one draft that is on its way, or
 * committed. It is acknowledged when it has become committed. When the term ends, what only waited was certainly not
 * committed; what was reserved may be, and its submitter is told so.
 *
 * <p>Thread-safe. Answers are given on the executor, in order, so that neither the duty thread nor whoever ends the
 * term waits for clients.
 */
final class TransactionPool implements Submitter {

    private static final class Pending {
        private final Hash hash;
        private final Bytes transaction;
        private final CompletableFuture<Submitted> answer = new CompletableFuture<>();
        private boolean reserved;

        Pending(Hash hash, Bytes transaction) {
            this.hash = hash;
            this.transaction = transaction;
        }
    }

    private record Answer(CompletableFuture<Submitted> future, Submitted result) {}

    private final SequencerSettings settings;
    private final CommittedTransactions committed;
    private final Function<Bytes, Optional<String>> malformed;
    private final Supplier<Submitted.NotHolder> notHolder;
    private final Executor answers;

    private final Map<Hash, Pending> pending = new LinkedHashMap<>();
    private long pendingBytes;
    private boolean open;

    TransactionPool(
            SequencerSettings settings,
            CommittedTransactions committed,
            Function<Bytes, Optional<String>> malformed,
            Supplier<Submitted.NotHolder> notHolder,
            Executor answers) {
        this.settings = settings;
        this.committed = committed;
        this.malformed = malformed;
        this.notHolder = notHolder;
        this.answers = answers;
    }

    @Override
    public CompletionStage<Submitted> submit(Bytes transaction) {
        Optional<Submitted> refusal = refusal(transaction);
        if (refusal.isPresent()) {
            return CompletableFuture.completedStage(refusal.get());
        }
        Hash hash = Hash.sha256(transaction);
        synchronized (this) {
            Optional<CommittedTransactions.Place> place = committed.find(hash);
            if (place.isPresent()) {
                // True on every node, whoever holds the seat.
                return CompletableFuture.completedStage(accepted(hash, place.get(), true));
            }
            if (!open) {
                return CompletableFuture.completedStage(notHolder.get());
            }
            Pending same = pending.get(hash);
            if (same != null) {
                return same.answer.thenApply(TransactionPool::asDuplicate);
            }
            if (pending.size() >= settings.maxPending()
                    || pendingBytes + transaction.size() > settings.maxPendingBytes()) {
                return CompletableFuture.completedStage(new Submitted.Rejected(
                        Submitted.Reason.POOL_FULL,
                        pending.size() + " transactions of " + pendingBytes + " bytes wait already (limits: "
                                + settings.maxPending() + " and " + settings.maxPendingBytes()
                                + "); submit it again later"));
            }
            Pending added = new Pending(hash, transaction);
            pending.put(hash, added);
            pendingBytes += transaction.size();
            // A view of its own, so that no caller can complete what others wait for.
            return added.answer.minimalCompletionStage();
        }
    }

    private Optional<Submitted> refusal(Bytes transaction) {
        if (transaction.isEmpty()) {
            return Optional.of(new Submitted.Rejected(
                    Submitted.Reason.EMPTY,
                    "transaction: 0 bytes (expected: 1 to " + settings.maxTransactionBytes() + ")"));
        }
        if (transaction.size() > settings.maxTransactionBytes()) {
            return Optional.of(new Submitted.Rejected(
                    Submitted.Reason.TOO_LARGE,
                    "transaction: " + transaction.size() + " bytes (expected: 1 to " + settings.maxTransactionBytes()
                            + ")"));
        }
        return malformed
                .apply(transaction)
                .map(why -> new Submitted.Rejected(Submitted.Reason.MALFORMED, "transaction: " + why));
    }

    private static Submitted asDuplicate(Submitted first) {
        return first instanceof Submitted.Accepted accepted ? accepted.asDuplicate() : first;
    }

    private static Submitted accepted(Hash hash, CommittedTransactions.Place place, boolean duplicate) {
        return new Submitted.Accepted(place.height(), place.index(), hash, place.block(), duplicate);
    }

    /** A term begins: transactions are taken from now on. */
    synchronized void open() {
        open = true;
    }

    /** Reserves, in the order of their submission, what fits into {@code room} bytes of a block's body. */
    synchronized List<Bytes> reserve(int room) {
        List<Pending> taken = new ArrayList<>();
        int left = room;
        for (Pending next : pending.values()) {
            if (next.reserved) {
                throw new IllegalStateException("draft: transaction " + next.hash.toShortString()
                        + " is still reserved for an earlier one (expected: that one released first)");
            }
            left -= BlockBodyCodec.sizeOf(next.transaction);
            if (left < 0) {
                break;
            }
            taken.add(next);
        }
        taken.forEach(next -> next.reserved = true);
        return taken.stream().map(next -> next.transaction).toList();
    }

    /** Acknowledges the block's transactions that were submitted here. Safe to repeat. */
    void released(Block block) {
        List<Answer> due = new ArrayList<>();
        synchronized (this) {
            int index = 0;
            for (Bytes transaction : block.body().transactions()) {
                Hash hash = Hash.sha256(transaction);
                Pending waiting = pending.remove(hash);
                if (waiting != null) {
                    pendingBytes -= transaction.size();
                    due.add(new Answer(
                            waiting.answer, new Submitted.Accepted(block.height(), index, hash, block.hash(), false)));
                }
                index++;
            }
        }
        give(due);
    }

    /** The term is over: nobody is acknowledged any more, and everybody who waits is told what is known. */
    void close() {
        List<Answer> due = new ArrayList<>();
        synchronized (this) {
            open = false;
            for (Pending waiting : pending.values()) {
                Submitted result = waiting.reserved
                        ? new Submitted.Unknown("the term ended while the transaction was being committed; submit it"
                                + " again: if it is in a block already, the answer says in which")
                        : notHolder.get();
                due.add(new Answer(waiting.answer, result));
            }
            pending.clear();
            pendingBytes = 0;
        }
        give(due);
    }

    private void give(List<Answer> due) {
        if (!due.isEmpty()) {
            answers.execute(() -> due.forEach(answer -> answer.future().complete(answer.result())));
        }
    }

    synchronized int size() {
        return pending.size();
    }

    synchronized long bytes() {
        return pendingBytes;
    }
}
