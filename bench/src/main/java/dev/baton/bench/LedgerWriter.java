package dev.baton.bench;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.Trim;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.Term;
import java.util.List;
import java.util.function.Consumer;

/** The holder of one seat, which appends and measures. */
final class LedgerWriter {

    private static final int TOLD_EVERY = 10_000;

    private final SeatAuthority seat;
    private final Term term;
    private Head head;

    LedgerWriter(SeatAuthority seat) {
        this(seat, new NodeId("bench"));
    }

    LedgerWriter(SeatAuthority seat, NodeId node) {
        this.seat = seat;
        Candidate candidate = new Candidate(new Holder(node, new Incarnation(1)), "");
        Promotion promotion = seat.promote(new Claim.Vacancy(), candidate)
                .toCompletableFuture()
                .join();
        if (!(promotion instanceof Promotion.Elected elected)) {
            throw new IllegalStateException("promotion: " + promotion + " (expected: Elected)");
        }
        this.term = elected.seating().term();
        this.head = elected.head();
    }

    long height() {
        return head.height().value();
    }

    /** Appends until the ledger has this height. */
    LedgerWriter fill(long height, Bytes payload, Consumer<String> progress) {
        while (height() < height) {
            append(payload);
            if (height() % TOLD_EVERY == 0) {
                progress.accept("filling the ledger: height " + height() + " of " + height);
            }
        }
        return this;
    }

    /** Commits one entry; how many nanoseconds that took. */
    long append(Bytes payload) {
        Entry entry = Entry.after(head, seat.id(), term.epoch(), List.of(), payload);
        long beganNanos = System.nanoTime();
        Appended appended;
        do {
            appended = seat.append(term, entry).toCompletableFuture().join();
        } while (appended instanceof Appended.Indeterminate); // the same entry again, as a driver does
        long tookNanos = System.nanoTime() - beganNanos;
        if (!(appended instanceof Appended.Committed)) {
            throw new IllegalStateException("append: " + appended + " (expected: Committed)");
        }
        head = entry.asHead();
        return tookNanos;
    }

    void trimBelow(Height below) {
        Trim trim = seat.trim(term, below).toCompletableFuture().join();
        if (!(trim instanceof Trim.Done)) {
            throw new IllegalStateException("trim: " + trim + " (expected: Done)");
        }
    }
}
