package dev.baton.duty;

import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import java.util.List;
import java.util.Optional;

/**
 * What the holder of a seat does.
 *
 * <p>Unless a method says otherwise, it is called on the seat's duty thread, one call at a time, and may block as
 * long as the pulse timeout allows; the thread is interrupted when the seat is lost. An exception is a failure to
 * work: enough of them in a row cost the seat.
 *
 * <p>A duty follows the ledger all the time: {@link #apply} while another node holds the seat, {@link #release} for
 * the entries of its own term. Between them they see every entry after {@link #applied()}, in order; one that the duty
 * has already, because it learnt of it in another way meanwhile, may be offered again.
 */
public interface Duty {

    /** Where a replaced holder's effects are stopped. Constant, callable from any thread. */
    Fencing fencing();

    /** The height up to which this duty knows the ledger. Callable from any thread, must not block. */
    Height applied();

    /**
     * Whether this duty could lead. A duty that is neither rebuilt from height 1 nor from a checkpoint is not ready.
     * Callable from any thread, must not block.
     */
    Readiness readiness();

    /** Takes in entries that another holder committed. Durable on return where the duty keeps a store. */
    void apply(List<Entry> entries) throws Exception;

    /**
     * The ledger no longer reaches back to what this duty needs next; get it elsewhere, up to {@code oldest} at
     * least. May block as long as it makes progress; it is called again while {@link #applied()} stays too low.
     */
    void catchUp(Height oldest) throws Exception;

    /** Another node, or nobody, holds the seat. Called on any thread, must not block. */
    default void holderChanged(Optional<Seating> holder) {}

    /**
     * Takes over. Where effects are fenced at a resource, raises the fence there <em>before</em> reading anything.
     * Must be quick: longer work shows its progress through pulses.
     */
    void assume(Tenure tenure) throws Exception;

    /**
     * Makes the next payload.
     *
     * <p>INV-11: its effects must not leave the house before {@link #release}: the draft may never be committed.
     */
    Draft draft(Tenure tenure) throws Exception;

    /**
     * The entry is committed: let its effects go. If this throws, it is called again with the same entry before
     * anything new is drafted, so it must be safe to repeat.
     */
    void release(Tenure tenure, Entry entry) throws Exception;

    /**
     * The term is over: stop acting, at once. Called on any thread, perhaps while another method is still running
     * and interrupted. On return nothing happens under that term any more.
     */
    void relinquish(Tenure tenure, String why);

    /** Checks, without holding the seat, whether work would be possible. An exception says that it is not. */
    void probe() throws Exception;
}
