package dev.baton.authority;

import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What an engine decides about one seat.
 *
 * <p>No method blocks, and all are thread-safe. Every stage completes normally, within a time that the engine's
 * configuration bounds: what can go wrong is an outcome, "we do not know" among them. A stage that completes
 * exceptionally is a defect of the engine's adapter. Stages complete on threads of the engine, which callers must not
 * hold up.
 */
public interface SeatAuthority {

    SeatId id();

    /**
     * Asks for the seat. Safe to repeat: for the same incarnation that holds it already the answer is the same
     * {@link Promotion.Elected}. Until the term's first entry that renews the lease, for a holder that has to wait out its
     * predecessor has nothing else that would; afterwards it is the engine's affair, and the time it reports is the one
     * from which the lease counts. A term that was granted is durable.
     *
     * <p>INV-1, INV-2: the granted epoch is higher than every epoch granted before in this seat, and it belongs to
     * the candidate's incarnation alone. Whoever held the seat before cannot commit any more from that moment on.
     *
     * <p>A claim does not make a takeover safe, it only says why the candidate tries. A seat whose lease runs is
     * given away only on {@link Claim.Evidence} that names exactly its term, or on a {@link Claim.ByTicket} whose
     * seat, term and head equal the seat's and whose target is the candidate's node. An engine with elections of its own (Raft) may answer evidence with
     * {@link Promotion.Held} until it has made up its own mind.
     */
    CompletionStage<Promotion> promote(Claim claim, Candidate candidate);

    /**
     * Commits the entry as the next of the ledger. One append is under way at a time. Safe to repeat with the same
     * entry: if it is committed already, the answer is {@link Appended.Committed} again.
     *
     * <p>INV-3, INV-4: at most one entry is ever committed at a height, and it follows its parent. On
     * {@code Committed} the entry is durable and the lease renewed. Therefore a term that is over is answered
     * {@link Appended.Fenced} whatever it offers, even an entry that it did commit.
     */
    CompletionStage<Appended> append(Term term, Entry entry);

    /** Frees the seat at once if {@code term} still holds it. Safe to repeat, and safe with any old term. */
    CompletionStage<Resignation> resign(Term term);

    /**
     * Reads committed entries in order, beginning at {@code from}. What is returned is a prefix of the truth: it may
     * lag behind, but it contains everything that this very object has already reported as committed or as head.
     */
    CompletionStage<Page> read(Height from, PageLimit limit);

    /**
     * Forgets the entries below {@code below}. Only the holder trims, and only below a committed checkpoint. The
     * head is never trimmed. Safe to repeat.
     */
    CompletionStage<Trim> trim(Term term, Height below);

    /**
     * Who holds the seat, and how far its ledger goes: from height 1 to genesis if it is empty. May lag behind like
     * {@link #read}.
     */
    CompletionStage<Look> look();

    /**
     * A fact about itself that the engine wants to ride on the holder's next entry, such as a change of its node set. The
     * holder asks before it makes each entry; until the fact is committed, the engine asks for it again.
     */
    default Optional<Fact> rider() {
        return Optional.empty();
    }

    /**
     * Tells the listener of every change until the watch is closed, beginning with the present state: {@link
     * SeatEvent.Taken} or {@link SeatEvent.Vacated}, then {@link SeatEvent.Advanced} unless the ledger is empty. Events
     * arrive one at a time and in order; if some were lost, {@link SeatEvent.Missed} says so. A listener must not block.
     */
    Watch watch(Consumer<SeatEvent> listener);

    /** Ends the events. A listener may still see one that was on its way. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
