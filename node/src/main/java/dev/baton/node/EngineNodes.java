package dev.baton.node;

import dev.baton.core.SeatId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The servers outside that an engine runs on, for each seat. Calls block for as long as they need, and no longer. */
public interface EngineNodes {

    /** Everything this node knows of, members of the seat's node set and others. */
    List<State> of(SeatId seat) throws InterruptedException;

    /**
     * Changes the node set of a seat; only the seat's holder can.
     *
     * @param leaving the address of the one that goes, if any
     * @param arriving the address of the one that comes, if any
     * @return empty once the change is committed, or what stood in the way
     */
    Optional<String> change(SeatId seat, Optional<String> leaving, Optional<String> arriving)
            throws InterruptedException;

    /**
     * One server.
     *
     * @param member the id under which it votes; null if it does not
     * @param height the height of its tip; null if it has not told
     * @param promised the epoch below which it hears nobody; null if it has not told
     * @param trouble why it cannot vote now; empty if it can
     */
    record State(
            String address,
            @Nullable String member,
            @Nullable Long height,
            @Nullable String hash,
            @Nullable Long promised,
            String trouble) {}
}
