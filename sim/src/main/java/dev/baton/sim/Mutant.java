package dev.baton.sim;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Term;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** A rule broken on purpose. The judge must notice each of them: one that nobody misses is no rule. */
public enum Mutant {
    /** An append is acknowledged when it is sent. */
    ACKNOWLEDGED_BEFORE_COMMIT,
    /** A refusal by epoch is taken for a success. */
    EPOCH_CHECK_DROPPED,
    /** "We do not know" is taken for a success. */
    UNKNOWN_TAKEN_FOR_COMMITTED,
    /** A new holder begins anew instead of at the recovered head. */
    RECOVERY_SKIPPED,
    /** A lease deadline runs from a time long after the send. */
    DEADLINE_IGNORED;

    private static final long FOR_EVER_NANOS = 3_600_000_000_000L;

    /** The engine as a node with this mutation takes it. */
    SeatAuthority connects(SeatAuthority engine, LongSupplier nanos) {
        return switch (this) {
            case ACKNOWLEDGED_BEFORE_COMMIT ->
                new ClockedAuthority(engine, nanos) {
                    @Override
                    public CompletionStage<Appended> append(Term term, Entry entry) {
                        super.append(term, entry);
                        return CompletableFuture.completedStage(new Appended.Committed(entry, nanos.getAsLong()));
                    }
                };
            case EPOCH_CHECK_DROPPED -> takingForCommitted(Appended.Fenced.class, engine, nanos);
            case UNKNOWN_TAKEN_FOR_COMMITTED -> takingForCommitted(Appended.Indeterminate.class, engine, nanos);
            case RECOVERY_SKIPPED ->
                new ClockedAuthority(engine, nanos) {
                    @Override
                    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
                        return super.promote(claim, candidate)
                                .thenApply(promotion -> promotion instanceof Promotion.Elected elected
                                        ? new Promotion.Elected(
                                                elected.seating(),
                                                Head.GENESIS,
                                                elected.predecessorEnded(),
                                                elected.sentNanos())
                                        : promotion);
                    }
                };
            case DEADLINE_IGNORED ->
                new ClockedAuthority(engine, nanos) {
                    @Override
                    public CompletionStage<Appended> append(Term term, Entry entry) {
                        return super.append(term, entry)
                                .thenApply(appended -> appended instanceof Appended.Committed committed
                                        ? new Appended.Committed(
                                                committed.entry(), committed.sentNanos() + FOR_EVER_NANOS)
                                        : appended);
                    }
                };
        };
    }

    private static SeatAuthority takingForCommitted(
            Class<? extends Appended> outcome, SeatAuthority engine, LongSupplier nanos) {
        return new ClockedAuthority(engine, nanos) {
            @Override
            public CompletionStage<Appended> append(Term term, Entry entry) {
                long sentNanos = nanos.getAsLong();
                return super.append(term, entry)
                        .thenApply(appended ->
                                outcome.isInstance(appended) ? new Appended.Committed(entry, sentNanos) : appended);
            }
        };
    }
}
