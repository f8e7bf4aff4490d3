package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Authority;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.Trim;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One process of a node at one seat, with verbs that wait for the answer.
 *
 * <p>The plain verbs ask once and return what the engine says. Those with "until" ask again while the engine does not
 * know or cannot say, as a driver does.
 */
final class Contender {

    private final Holder holder;
    private final Authority authority;
    private final SeatAuthority seat;
    private final Patience patience;
    private final Set<Term> over;
    private final List<Runnable> leaving = new CopyOnWriteArrayList<>();

    /**
     * A process at a seat.
     *
     * @param over the terms that are known to have ended; all contenders of a test share this set
     */
    Contender(Holder holder, Authority authority, SeatId seat, Patience patience, Set<Term> over) {
        this.patience = patience;
        this.over = over;
        this.holder = holder;
        this.authority = authority;
        this.seat = authority.seat(seat);
    }

    Holder holder() {
        return holder;
    }

    NodeId node() {
        return holder.node();
    }

    Authority authority() {
        return authority;
    }

    SeatId seat() {
        return seat.id();
    }

    /** The same process at another seat. It leaves when this one does. */
    Contender at(SeatId other) {
        Contender there = new Contender(holder, authority, other, patience, over);
        leaving.add(there::leave);
        return there;
    }

    Promotion promote(Claim claim) {
        Promotion outcome = Answers.of(seat.promote(claim, new Candidate(holder, holder.node() + ":1")));
        if (outcome instanceof Promotion.Elected elected) {
            Term term = elected.seating().term();
            leaving.add(() -> Answers.of(seat.resign(term)));
        }
        return outcome;
    }

    /**
     * Takes part in a race: asks until it is elected, or until it hears of another holder.
     *
     * <p>A member that lags may for a moment name a holder that has resigned; that is no reason to give up.
     */
    Promotion promoteUntilDecided(Claim claim) {
        return patience.until(holder + " hears who holds " + seat(), () -> promote(claim), this::isDecided);
    }

    private boolean isDecided(Promotion outcome) {
        return switch (outcome) {
            case Promotion.Elected ignored -> true;
            case Promotion.Held held -> !over.contains(held.by().term());
            case Promotion.Refused ignored -> false; // perhaps for the moment: on Raft the leadership moves
            case Promotion.Unavailable ignored -> false;
            case Promotion.Indeterminate ignored -> false;
        };
    }

    /** Asks until it is elected, whoever holds the seat in between. */
    Holding takeUntilElected(Claim claim) {
        Promotion outcome = patience.until(
                holder + " is elected in " + seat(),
                () -> promote(claim),
                answer -> answer instanceof Promotion.Elected);
        return new Holding(this, Answers.expect(Promotion.Elected.class, outcome));
    }

    /** Takes a seat that is free. */
    Holding take() {
        return new Holding(this, Answers.expect(Promotion.Elected.class, promoteUntilDecided(new Claim.Vacancy())));
    }

    Appended append(Term term, Entry entry) {
        return Answers.of(seat.append(term, entry));
    }

    /** Offers the same entry until the engine knows what became of it. */
    Appended appendUntilDecided(Term term, Entry entry) {
        return patience.until(entry + " is decided", () -> append(term, entry), Answers::isDecided);
    }

    Resignation resign(Term term) {
        return Answers.of(seat.resign(term));
    }

    void resignUntilDone(Term term) {
        patience.until(term + " is resigned", () -> resign(term), outcome -> outcome instanceof Resignation.Done);
        over.add(term);
    }

    Trim trimUntilDecided(Term term, Height below) {
        return patience.until(
                "the ledger is trimmed below " + below,
                () -> Answers.of(seat.trim(term, below)),
                outcome -> !(outcome instanceof Trim.Unknown));
    }

    Page readUntilDecided(Height from, PageLimit limit) {
        return patience.until(
                "a page from " + from,
                () -> Answers.of(seat.read(from, limit)),
                page -> !(page instanceof Page.Unavailable));
    }

    /** Committed entries from this height on; every page that any test reads must be in order and without holes. */
    Page.Entries page(Height from, PageLimit limit) {
        Page.Entries page = Answers.expect(Page.Entries.class, readUntilDecided(from, limit));
        List<Entry> entries = page.entries();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            assertThat(entry.height().value())
                    .as("height of entry %d on the page from %s", i, from)
                    .isEqualTo(from.value() + i);
            assertThat(i == 0 || entry.follows(entries.get(i - 1).asHead()))
                    .as("%s follows the one before it", entry)
                    .isTrue();
        }
        return page;
    }

    Page.Entries page(long from) {
        return page(new Height(from), PageLimit.DEFAULT);
    }

    /** Everything that this contender's engine knows to be committed, page by page. */
    List<Entry> ledger() {
        List<Entry> all = new ArrayList<>();
        Height next = Height.FIRST;
        while (true) {
            List<Entry> page = page(next, PageLimit.DEFAULT).entries();
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page);
            next = page.getLast().height().next();
        }
    }

    /** Asks once, of an authority that may be out of reach. */
    List<Object> askEverything(Term term, Entry entry) {
        return List.of(
                promote(new Claim.Vacancy()),
                append(term, entry),
                Answers.of(seat.trim(term, Height.FIRST)),
                Answers.of(seat.read(Height.FIRST, PageLimit.DEFAULT)),
                Answers.of(seat.look()),
                resign(term));
    }

    Look look() {
        return patience.until(
                "a look at " + seat(), () -> Answers.of(seat.look()), look -> !(look instanceof Look.Unavailable));
    }

    Watcher watch() {
        Watcher watcher = new Watcher(seat, patience);
        leaving.add(watcher::close);
        return watcher;
    }

    /** Gives up every term and every watch; what the engine answers to that does not matter any more. */
    void leave() {
        leaving.reversed().forEach(Runnable::run);
        leaving.clear();
    }

    @Override
    public String toString() {
        return holder.toString();
    }
}
