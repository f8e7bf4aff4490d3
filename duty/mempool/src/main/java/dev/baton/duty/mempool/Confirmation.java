package dev.baton.duty.mempool;

/** What became of a block, or of taking one back. */
public sealed interface Confirmation {

    /** Done, just now; the chain ends there for the pool. */
    record Applied(Point cursor) implements Confirmation {}

    /** Begun but not finished: {@link Mempool#advance} does the next slice. */
    record Applying(Point point) implements Confirmation {}

    /** Nothing was done: another block was begun and has to be finished first. */
    record Unfinished(Point point) implements Confirmation {}

    /** Nothing was done: the pool ends with that very block. */
    record AlreadyApplied(Point cursor) implements Confirmation {}

    /** Nothing was done: the pool ends elsewhere than where the caller goes on from. */
    record NotNext(Point cursor) implements Confirmation {}

    /** Nothing was done: so far back the pool does not remember. */
    record TooDeep(Point cursor) implements Confirmation {}

    /** Nothing was done: a later term has been here. */
    record Fenced(WatcherTerm shown, WatcherTerm stored) implements Confirmation {}

    /** Nothing was done: the pool's watcher is another seat. */
    record OtherSeat(WatcherTerm shown, WatcherTerm stored) implements Confirmation {}

    /** Nothing was even asked of the pool: this node is not the watcher. */
    record Skipped(String why) implements Confirmation {}
}
