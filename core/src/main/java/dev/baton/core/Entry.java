package dev.baton.core;

import java.util.List;

/**
 * One step of a seat's history: a duty's payload and, now and then, facts about the seat.
 *
 * <p>"The same entry" means the same {@link #hash()}. The hash covers the <em>author</em> epoch, the one of the term
 * that first proposed the entry, but not the ballot under which an engine accepted it, so a later holder can carry an
 * entry over unchanged.
 */
public final class Entry {

    private final Height height;
    private final Hash parent;
    private final Epoch author;
    private final List<Fact> facts;
    private final Bytes payload;
    private final Hash hash;

    private Entry(Height height, Hash parent, Epoch author, List<Fact> facts, Bytes payload, Hash hash) {
        this.height = height;
        this.parent = parent;
        this.author = author;
        this.facts = facts;
        this.payload = payload;
        this.hash = hash;
    }

    /** The entry that follows {@code head}. */
    public static Entry after(Head head, SeatId seat, Epoch author, List<Fact> facts, Bytes payload) {
        return of(seat, head.height().next(), head.hash(), author, facts, payload);
    }

    public static Entry of(SeatId seat, Height height, Hash parent, Epoch author, List<Fact> facts, Bytes payload) {
        if (height.equals(Height.ZERO)) {
            throw new IllegalArgumentException("entry: height 0 (expected: 1 or more)");
        }
        List<Fact> copy = List.copyOf(facts);
        return new Entry(
                height, parent, author, copy, payload, EntryHash.of(seat, height, parent, author, copy, payload));
    }

    public Height height() {
        return height;
    }

    public Hash parent() {
        return parent;
    }

    public Epoch author() {
        return author;
    }

    public List<Fact> facts() {
        return facts;
    }

    public Bytes payload() {
        return payload;
    }

    public Hash hash() {
        return hash;
    }

    /** This entry as the head that the next one follows. */
    public Head asHead() {
        return new Head(height, hash);
    }

    public boolean follows(Head head) {
        return height.equals(head.height().next()) && parent.equals(head.hash());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Entry that && hash.equals(that.hash);
    }

    @Override
    public int hashCode() {
        return hash.hashCode();
    }

    @Override
    public String toString() {
        return "entry " + asHead() + " by " + author;
    }
}
