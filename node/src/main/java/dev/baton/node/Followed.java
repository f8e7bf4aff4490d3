package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A seat's ledger as this node has followed it since it started, whatever the duty: who held the seat when, and the newest
 * entries in short. Thread-safe; what an entry costs here is next to nothing, and its payload is not kept.
 */
public final class Followed {

    /** As many as a page shows, and a few more. */
    static final int KEPT = 20;

    /** Entries carry no time. One that opens a term does, and if that is longer ago, the node is catching up. */
    private static final Duration LIVE = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final TermLog terms = new TermLog();
    private final Deque<Seen> newest = new ArrayDeque<>();

    Followed(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * An entry in short.
     *
     * @param opens the node whose term it opens; null if it opens none
     * @param atMillis when this node took it in
     */
    public record Seen(
            Height height,
            Hash hash,
            Hash parent,
            Epoch author,
            int bytes,
            @Nullable String opens,
            long atMillis) {}

    /** Entries may be offered again. */
    synchronized void take(Entry entry) {
        if (!entry.height().isAbove(terms.read())) {
            return;
        }
        long nowMillis = clock.millis();
        Fact.@Nullable Opened opening = opening(entry);
        boolean live = opening == null || Math.abs(nowMillis - opening.openedAtMillis()) <= LIVE.toMillis();
        terms.take(entry, opening == null || live ? nowMillis : opening.openedAtMillis(), live);
        newest.addLast(new Seen(
                entry.height(),
                entry.hash(),
                entry.parent(),
                entry.author(),
                entry.payload().size(),
                opening == null ? null : opening.seating().term().node().value(),
                nowMillis));
        if (newest.size() > KEPT) {
            newest.removeFirst();
        }
    }

    private static Fact.@Nullable Opened opening(Entry entry) {
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Opened opened) {
                return opened;
            }
        }
        return null;
    }

    /** The newest terms, oldest first. */
    public synchronized List<History.Held> terms(int limit) {
        return terms.newest(limit);
    }

    /** The newest entries, oldest first. */
    public synchronized List<Seen> newest() {
        return List.copyOf(newest);
    }
}
