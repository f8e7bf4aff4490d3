package dev.baton.authority.raft;

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
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One seat as this member sees it: reads come from what it has applied, changes go through its own log. */
final class RaftSeat implements SeatAuthority {

    private final SeatId id;
    private final RaftParts parts;

    RaftSeat(SeatId id, RaftParts parts) {
        this.id = id;
        this.parts = parts;
    }

    @Override
    public SeatId id() {
        return id;
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        String why = parts.outOfService().get();
        if (why != null) {
            return CompletableFuture.completedStage(new Promotion.Unavailable(why));
        }
        return CompletableFuture.supplyAsync(() -> new Campaign(parts, id, claim, candidate).run(), parts.blocking());
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        long sentNanos = System.nanoTime();
        String why = parts.outOfService().get();
        if (why != null) {
            return CompletableFuture.completedStage(new Appended.Unavailable(why));
        }
        Optional<Epoch> over = overSince(term);
        if (over.isPresent()) {
            return CompletableFuture.completedStage(new Appended.Fenced(over.get()));
        }
        if (!parts.member().footing().leads()) {
            return CompletableFuture.completedStage(new Appended.Unavailable(notLeading()));
        }
        return parts.member().submit(new Command.Append(id, term, entry)).thenApply(submitted -> switch (submitted) {
            case Submitted.Applied(Reply reply) -> appended(reply, entry, sentNanos);
            case Submitted.NotSent(String reason) -> new Appended.Unavailable(reason);
            case Submitted.Unknown(String reason) -> new Appended.Indeterminate(reason);
        });
    }

    private static Appended appended(Reply reply, Entry entry, long sentNanos) {
        return switch (reply) {
            case Reply.Committed() -> new Appended.Committed(entry, sentNanos);
            case Reply.Fenced(Epoch by) -> new Appended.Fenced(by);
            case Reply.Conflict(Head actual, String why) -> new Appended.Conflict(actual, why);
            case Reply.Malformed(String why) -> new Appended.Unavailable(why);
            case Reply.Granted ignored -> throw unexpected(reply);
            case Reply.Held ignored -> throw unexpected(reply);
            case Reply.Refused ignored -> throw unexpected(reply);
            case Reply.Spent ignored -> throw unexpected(reply);
            case Reply.Ended ignored -> throw unexpected(reply);
            case Reply.Trimmed ignored -> throw unexpected(reply);
        };
    }

    private static IllegalStateException unexpected(Reply reply) {
        return new IllegalStateException("a command was answered with " + reply);
    }

    /**
     * The epoch that ended the term, if this member knows that it is over.
     *
     * <p>INV-1: once an entry of a later Raft term has been applied, nothing of this one can be committed any more; so
     * the answer is definite even for an entry of which nobody knew what became of it.
     */
    private Optional<Epoch> overSince(Term term) {
        SeatView seat = parts.ledger().view(id);
        if (seat.seating().filter(now -> now.term().equals(term)).isPresent()) {
            return Optional.empty();
        }
        boolean over = !term.epoch().isAbove(seat.highestEpoch())
                || seat.raftTerm() > term.epoch().value();
        return over
                ? Optional.of(new Epoch(Math.max(seat.highestEpoch().value(), seat.raftTerm())))
                : Optional.empty(); // this member lags behind, or the term was made up: the log will tell
    }

    private String notLeading() {
        return parts.member().id() + " does not lead (expected: the holder's member leads); the leader is "
                + parts.member().footing().leader().map(MemberId::value).orElse("unknown");
    }

    @Override
    public CompletionStage<Resignation> resign(Term term) {
        String why = parts.outOfService().get();
        if (why != null) {
            return CompletableFuture.completedStage(new Resignation.Unknown(why));
        }
        if (overSince(term).isPresent()) {
            return CompletableFuture.completedStage(new Resignation.Done());
        }
        return parts.member()
                .submit(new Command.End(id, term, Ending.RESIGNED))
                .thenApply(submitted -> switch (submitted) {
                    case Submitted.Applied ignored -> new Resignation.Done();
                    case Submitted.NotSent(String reason) -> new Resignation.Unknown(reason);
                    case Submitted.Unknown(String reason) -> new Resignation.Unknown(reason);
                });
    }

    @Override
    public CompletionStage<Trim> trim(Term term, Height below) {
        String why = parts.outOfService().get();
        if (why != null) {
            return CompletableFuture.completedStage(new Trim.Unknown(why));
        }
        Optional<Epoch> over = overSince(term);
        if (over.isPresent()) {
            return CompletableFuture.completedStage(new Trim.Fenced(over.get()));
        }
        return parts.member().submit(new Command.Trim(id, term, below)).thenApply(submitted -> switch (submitted) {
            case Submitted.Applied(Reply.Trimmed(Height oldest)) -> new Trim.Done(oldest);
            case Submitted.Applied(Reply.Fenced(Epoch by)) -> new Trim.Fenced(by);
            case Submitted.Applied(Reply reply) -> new Trim.Unknown(reply.toString());
            case Submitted.NotSent(String reason) -> new Trim.Unknown(reason);
            case Submitted.Unknown(String reason) -> new Trim.Unknown(reason);
        });
    }

    @Override
    public CompletionStage<Page> read(Height from, PageLimit limit) {
        String why = parts.outOfService().get();
        if (why != null) {
            return CompletableFuture.completedStage(new Page.Unavailable(why));
        }
        return CompletableFuture.supplyAsync(() -> parts.ledger().read(id, from, limit), parts.blocking());
    }

    @Override
    public CompletionStage<Look> look() {
        String why = parts.outOfService().get();
        if (why != null) {
            return CompletableFuture.completedStage(new Look.Unavailable(why));
        }
        SeatView seat = parts.ledger().view(id);
        return CompletableFuture.completedStage(
                seat.seating().isPresent()
                        ? new Look.Held(seat.seating().get(), seat.head(), seat.oldest())
                        : new Look.Vacant(seat.lastEnded(), seat.head(), seat.oldest()));
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        return parts.ledger().watch(id, listener);
    }
}
