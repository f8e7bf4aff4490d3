package dev.baton.authority.tck;

import dev.baton.authority.Appended;
import dev.baton.authority.Promotion;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.NodeId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A term that a contender was granted, and what it has committed since. */
final class Holding {

    private final Contender contender;
    private final Promotion.Elected elected;
    private Head head;

    Holding(Contender contender, Promotion.Elected elected) {
        this.contender = contender;
        this.elected = elected;
        this.head = elected.head();
    }

    Contender contender() {
        return contender;
    }

    Promotion.Elected elected() {
        return elected;
    }

    Term term() {
        return elected.seating().term();
    }

    Head head() {
        return head;
    }

    /** The entry that would come next. */
    Entry draft(String payload) {
        return draft(Bytes.utf8(payload));
    }

    Entry draft(Bytes payload, Fact... facts) {
        return Entry.after(head, contender.seat(), term().epoch(), List.of(facts), payload);
    }

    Entry commit(String payload) {
        return commit(draft(payload));
    }

    /** Commits the entry, or fails the test. */
    Entry commit(Entry entry) {
        Answers.expect(Appended.Committed.class, tryCommit(entry));
        return entry;
    }

    /** Offers the entry, and goes on from it if it was committed. */
    Appended tryCommit(Entry entry) {
        Appended outcome = contender.appendUntilDecided(term(), entry);
        if (outcome instanceof Appended.Committed) {
            head = entry.asHead();
        }
        return outcome;
    }

    List<Entry> commit(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(commit("entry " + i));
        }
        return entries;
    }

    /** Offers an entry on top of what this term believes to be the head. */
    Appended tryNext(String payload) {
        return contender.appendUntilDecided(term(), draft(payload));
    }

    void resign() {
        contender.resignUntilDone(term());
    }

    Ticket ticketFor(NodeId target) {
        return new Ticket(contender.seat(), term(), head, target, Duration.ofMinutes(1));
    }
}
