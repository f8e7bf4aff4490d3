package dev.baton.sim;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** An engine's answers as a node with a broken rule takes them. */
final class SpoiledAuthority {

    private static final long FOR_EVER_NANOS = 3_600_000_000_000L;

    private SpoiledAuthority() {}

    static SeatAuthority of(Mutant mutant, SeatAuthority engine, NodeId self, LongSupplier nanos) {
        return switch (mutant) {
            case ACKNOWLEDGED_BEFORE_COMMIT -> acknowledgingAtOnce(engine, nanos);
            case FENCED_TAKEN_FOR_COMMITTED -> takingForCommitted(Appended.Fenced.class, engine, nanos);
            case UNKNOWN_TAKEN_FOR_COMMITTED -> takingForCommitted(Appended.Indeterminate.class, engine, nanos);
            case HEAD_FORGOTTEN -> beginningAnew(engine);
            case DEADLINE_IGNORED -> withoutDeadline(engine);
            case TERM_RESUMED_AFTER_RESTART -> takingItsOwnTermForFree(engine, self);
            case READMITTED_UNDER_OLD_ID -> withoutRider(engine);
            default -> engine;
        };
    }

    private static SeatAuthority acknowledgingAtOnce(SeatAuthority engine, LongSupplier nanos) {
        return new DecoratedAuthority(engine) {
            @Override
            public CompletionStage<Appended> append(Term term, Entry entry) {
                super.append(term, entry);
                return CompletableFuture.completedStage(new Appended.Committed(entry, nanos.getAsLong()));
            }
        };
    }

    private static SeatAuthority takingForCommitted(
            Class<? extends Appended> outcome, SeatAuthority engine, LongSupplier nanos) {
        return new DecoratedAuthority(engine) {
            @Override
            public CompletionStage<Appended> append(Term term, Entry entry) {
                long sentNanos = nanos.getAsLong();
                return super.append(term, entry)
                        .thenApply(appended ->
                                outcome.isInstance(appended) ? new Appended.Committed(entry, sentNanos) : appended);
            }
        };
    }

    private static SeatAuthority beginningAnew(SeatAuthority engine) {
        return new DecoratedAuthority(engine) {
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
    }

    private static SeatAuthority withoutDeadline(SeatAuthority engine) {
        return new DecoratedAuthority(engine) {
            @Override
            public CompletionStage<Appended> append(Term term, Entry entry) {
                return super.append(term, entry)
                        .thenApply(appended -> appended instanceof Appended.Committed committed
                                ? new Appended.Committed(committed.entry(), committed.sentNanos() + FOR_EVER_NANOS)
                                : appended);
            }
        };
    }

    /** A term of this node's name is no reason to wait: it asks again, and the engine knows its incarnation. */
    private static SeatAuthority takingItsOwnTermForFree(SeatAuthority engine, NodeId self) {
        return new DecoratedAuthority(engine) {
            @Override
            public Watch watch(Consumer<SeatEvent> listener) {
                return super.watch(event -> listener.accept(
                        event instanceof SeatEvent.Taken(Seating seating)
                                        && seating.term().node().equals(self)
                                ? new SeatEvent.Vacated(Ending.LAPSED)
                                : event));
            }
        };
    }

    private static SeatAuthority withoutRider(SeatAuthority engine) {
        return new DecoratedAuthority(engine) {
            @Override
            public Optional<Fact> rider() {
                return Optional.empty();
            }
        };
    }
}
