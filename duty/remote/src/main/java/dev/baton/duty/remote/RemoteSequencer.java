package dev.baton.duty.remote;

/**
 * A sequencer in another process, whatever it speaks.
 *
 * <p>Every call blocks for one call timeout at most, may be repeated, and may be made from any thread. None throws for
 * what a sequencer or a network can do; an interrupt counts as a lost answer, and stays set.
 */
public interface RemoteSequencer extends AutoCloseable {

    /** Where it is, for people to read. */
    String address();

    /**
     * How it is.
     *
     * @param recorded a block that its chain should contain; it is asked what it has at that number
     */
    Looked look(BlockRef recorded);

    /**
     * Makes it work on top of this head, or lets it work on if it does already.
     *
     * <p>On {@link Started.Unknown} the request may still be under way, and take effect later.
     */
    Started start(BlockRef head, Lease lease);

    /** Makes it stop. */
    Stopped stop(Lease lease);

    @Override
    void close();
}
