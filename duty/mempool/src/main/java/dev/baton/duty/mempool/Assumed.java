package dev.baton.duty.mempool;

import java.util.Optional;

/** What a new watcher learns when it shows its term. */
public sealed interface Assumed {

    /**
     * Every lower term is refused from now on.
     *
     * @param cursor where the chain ends for the pool: go on from there
     * @param unfinished a block that was begun and must be finished first
     */
    record Watching(Point cursor, Optional<Point> unfinished) implements Assumed {}

    /** A later term has been here. */
    record Fenced(WatcherTerm shown, WatcherTerm stored) implements Assumed {}

    /** The pool's watcher is another seat. */
    record OtherSeat(WatcherTerm shown, WatcherTerm stored) implements Assumed {}
}
