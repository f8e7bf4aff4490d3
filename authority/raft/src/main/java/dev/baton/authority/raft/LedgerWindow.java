package dev.baton.authority.raft;

import dev.baton.authority.PageLimit;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.ArrayList;
import java.util.List;

/** The part of a seat's ledger that is still kept, each entry in its byte form with the hash beside it. */
final class LedgerWindow {

    /** An entry as it is kept; it becomes an {@link Entry} again when somebody reads it. */
    record Stored(Hash hash, Bytes encoded) {}

    private Head head;
    private Height oldest;
    private final ArrayList<Stored> entries;

    LedgerWindow() {
        this(Head.GENESIS, Height.FIRST, List.of());
    }

    LedgerWindow(Head head, Height oldest, List<Stored> entries) {
        this.head = head;
        this.oldest = oldest;
        this.entries = new ArrayList<>(entries);
    }

    Head head() {
        return head;
    }

    Height oldest() {
        return oldest;
    }

    void add(Entry entry) {
        entries.add(new Stored(entry.hash(), EntryCodec.encode(entry)));
        head = entry.asHead();
    }

    boolean reachesDownTo(Height height) {
        return !height.isBelow(oldest);
    }

    /** Whether exactly this entry is committed, as far as the window can tell. */
    boolean contains(Entry entry) {
        return reachesDownTo(entry.height())
                && !entry.height().isAbove(head.height())
                && entries.get(indexOf(entry.height())).hash().equals(entry.hash());
    }

    /** Forgets what lies below, but never the head. */
    void trim(Height below) {
        Height keepFrom = below.isAbove(head.height()) ? head.height() : below;
        if (keepFrom.isAbove(oldest)) {
            entries.subList(0, indexOf(keepFrom)).clear();
            oldest = keepFrom;
        }
    }

    /** One page, without touching the rest. */
    List<Stored> page(Height from, PageLimit limit) {
        List<Stored> page = new ArrayList<>();
        long bytes = 0;
        for (int i = indexOf(from); i < entries.size() && page.size() < limit.entries(); i++) {
            Stored stored = entries.get(i);
            bytes += stored.encoded().size();
            if (bytes > limit.bytes() && !page.isEmpty()) {
                break;
            }
            page.add(stored);
        }
        return page;
    }

    List<Stored> all() {
        return List.copyOf(entries);
    }

    private int indexOf(Height height) {
        return (int) Math.min(height.value() - oldest.value(), Integer.MAX_VALUE);
    }
}
