package dev.baton.authority.memory;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.Trim;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.LedgerRule;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows about one seat, and the only place where it changes.
 *
 * <p>Every transition takes the time as a number; nothing here knows a clock, a thread or a connection. Not
 * thread-safe: the engine guards it. A lapse is noticed by whatever call comes next, or by {@link #lapseIfDue}.
 */
class SeatRecord {

    private final SeatId id;
    private final long ttlNanos;
    private final Consumer<SeatEvent> changes;

    private Epoch highestEpoch = Epoch.NONE;
    private @Nullable Seating seating;
    private @Nullable Term lastTerm;
    private Ending lastEnded = Ending.NONE;
    /** How the term before the present one ended, so that a repeated promotion is answered alike. */
    private Ending predecessorEnded = Ending.NONE;

    private long leaseEndsNanos;

    private Head head = Head.GENESIS;
    private Height oldest = Height.FIRST;
    private final ArrayList<Entry> entries = new ArrayList<>();

    SeatRecord(SeatId id, Duration ttl, Consumer<SeatEvent> changes) {
        this.id = id;
        this.ttlNanos = ttl.toNanos();
        this.changes = changes;
    }

    SeatId id() {
        return id;
    }

    Promotion promote(Claim claim, Candidate candidate, long sentNanos, long nowNanos) {
        lapseIfDue(nowNanos);
        Seating current = seating;
        if (current != null && isHeldBy(current, candidate)) {
            renew(nowNanos);
            return new Promotion.Elected(current, head, predecessorEnded, sentNanos);
        }
        return switch (claim) {
            case Claim.Vacancy() ->
                current == null
                        ? grant(candidate, lastEnded, sentNanos, nowNanos)
                        : new Promotion.Held(current, leaseLeft(nowNanos));
            case Claim.Evidence(Term of) -> {
                if (current == null) {
                    yield grant(candidate, lastEnded, sentNanos, nowNanos);
                }
                yield of.equals(current.term())
                        ? grant(candidate, claim.endingOfPredecessor(), sentNanos, nowNanos)
                        : new Promotion.Held(current, leaseLeft(nowNanos));
            }
            case Claim.ByTicket(Ticket ticket) ->
                fits(ticket, candidate)
                        ? grant(candidate, endingByTicket(claim), sentNanos, nowNanos)
                        : new Promotion.Refused("ticket of term " + ticket.term() + " at head " + ticket.head()
                                + " for " + ticket.target() + " in " + ticket.seat() + " (expected: term " + lastTerm
                                + " at head " + head + " for "
                                + candidate.holder().node() + " in " + id + ")");
        };
    }

    /** INV-2: a term belongs to an incarnation, never to a name. */
    boolean isHeldBy(Seating current, Candidate candidate) {
        return current.term().holder().equals(candidate.holder());
    }

    /**
     * INV-9: only while term and head equal the ticket's. The term may have lapsed meanwhile: nobody took the seat
     * since, and its holder cannot commit any more.
     */
    boolean fits(Ticket ticket, Candidate candidate) {
        return lastTerm != null
                && ticket.matches(id, lastTerm, head)
                && ticket.target().equals(candidate.holder().node());
    }

    /** A holder that resigned after it had issued the ticket has stopped in either case. */
    private Ending endingByTicket(Claim claim) {
        return lastEnded == Ending.RESIGNED && seating == null ? lastEnded : claim.endingOfPredecessor();
    }

    private Promotion grant(Candidate candidate, Ending ended, long sentNanos, long nowNanos) {
        highestEpoch = epochAfter(highestEpoch);
        predecessorEnded = ended;
        Seating granted = new Seating(new Term(highestEpoch, candidate.holder()), candidate.address());
        seating = granted;
        lastTerm = granted.term();
        renew(nowNanos);
        changes.accept(new SeatEvent.Taken(granted));
        return new Promotion.Elected(granted, head, ended, sentNanos);
    }

    Epoch epochAfter(Epoch highest) {
        return new Epoch(highest.value() + 1);
    }

    Appended append(Term term, Entry entry, long sentNanos, long nowNanos) {
        lapseIfDue(nowNanos);
        if (!holds(term)) {
            return new Appended.Fenced(highestEpoch);
        }
        return switch (relate(entry)) {
            case NEXT -> {
                store(entry);
                head = entry.asHead();
                changes.accept(new SeatEvent.Advanced(head));
                yield committed(entry, sentNanos, nowNanos);
            }
            case SAME_AS_HEAD -> committed(entry, sentNanos, nowNanos);
            case BELOW -> {
                if (entry.height().isBelow(oldest)) {
                    yield new Appended.Conflict(head, entry + ": trimmed (the ledger begins at " + oldest + ")");
                }
                Entry stored = entries.get(indexOf(entry.height()));
                yield stored.equals(entry)
                        ? committed(entry, sentNanos, nowNanos)
                        : new Appended.Conflict(head, entry + ": another stands there: " + stored);
            }
            case GAP -> new Appended.Conflict(head, entry + ": leaves a gap after head " + head);
            case OTHER_PARENT ->
                new Appended.Conflict(
                        head, entry + ": parent " + entry.parent().toShortString() + " (expected: " + head + ")");
        };
    }

    boolean holds(Term term) {
        return seating != null && seating.term().equals(term);
    }

    LedgerRule relate(Entry entry) {
        return LedgerRule.relate(entry, head);
    }

    void store(Entry entry) {
        entries.add(entry);
    }

    private Appended committed(Entry entry, long sentNanos, long nowNanos) {
        renew(nowNanos);
        return new Appended.Committed(entry, sentNanos);
    }

    Resignation resign(Term term, long nowNanos) {
        lapseIfDue(nowNanos);
        if (holds(term)) {
            vacate(Ending.RESIGNED);
        }
        return new Resignation.Done();
    }

    Trim trim(Term term, Height below, long nowNanos) {
        lapseIfDue(nowNanos);
        if (!holds(term)) {
            return new Trim.Fenced(highestEpoch);
        }
        Height keepFrom = below.isAbove(head.height()) ? head.height() : below;
        if (keepFrom.isAbove(oldest)) {
            entries.subList(0, indexOf(keepFrom)).clear();
            oldest = keepFrom;
        }
        return new Trim.Done(oldest);
    }

    Page read(Height from, PageLimit limit) {
        if (from.isBelow(oldest)) {
            return new Page.Trimmed(oldest);
        }
        List<Entry> page = new ArrayList<>();
        long bytes = 0;
        for (int i = indexOf(from); i < entries.size() && page.size() < limit.entries(); i++) {
            Entry entry = entries.get(i);
            bytes += entry.payload().size();
            if (bytes > limit.bytes() && !page.isEmpty()) {
                break;
            }
            page.add(entry);
        }
        return new Page.Entries(page, head);
    }

    Look look(long nowNanos) {
        lapseIfDue(nowNanos);
        return seating == null ? new Look.Vacant(lastEnded, head, oldest) : new Look.Held(seating, head, oldest);
    }

    /** The present state as a new watcher is told it. */
    List<SeatEvent> present(long nowNanos) {
        lapseIfDue(nowNanos);
        List<SeatEvent> events = new ArrayList<>();
        events.add(seating == null ? new SeatEvent.Vacated(lastEnded) : new SeatEvent.Taken(seating));
        if (!head.isGenesis()) {
            events.add(new SeatEvent.Advanced(head));
        }
        return events;
    }

    void lapseIfDue(long nowNanos) {
        if (seating != null && nowNanos - leaseEndsNanos >= 0) {
            vacate(Ending.LAPSED);
        }
    }

    /** When the lease ends if nothing renews it. */
    OptionalLong lapseNanos() {
        return seating == null ? OptionalLong.empty() : OptionalLong.of(leaseEndsNanos);
    }

    /** The engine was down: nobody could renew, so a running lease begins anew. */
    void restarted(long nowNanos) {
        if (seating != null) {
            renew(nowNanos);
        }
    }

    private void vacate(Ending how) {
        seating = null;
        lastEnded = how;
        changes.accept(new SeatEvent.Vacated(how));
    }

    private void renew(long nowNanos) {
        leaseEndsNanos = nowNanos + ttlNanos;
    }

    private Optional<Duration> leaseLeft(long nowNanos) {
        return Optional.of(Duration.ofNanos(leaseEndsNanos - nowNanos));
    }

    private int indexOf(Height height) {
        return (int) Math.min(height.value() - oldest.value(), Integer.MAX_VALUE);
    }
}
