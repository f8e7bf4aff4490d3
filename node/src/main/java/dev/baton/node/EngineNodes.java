package dev.baton.node;

import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
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
     * Whether the nodes themselves count the votes of these servers, and so keep an eye on each all the time. An engine
     * that counts them itself looks after its own servers, and is asked only when somebody wants to see them.
     */
    boolean areCountedHere();

    /** What can be the matter with a server. */
    enum Health {
        WELL,
        /** It answers, but lacks more than the newest entry. */
        LAGGING,
        /** It answers, and knows nothing of the seat that anybody may rely on. */
        BLANK,
        /** It does not answer; what it is said to have is what it told last. */
        SILENT,
        /** It answers, and cannot be used for another reason. */
        AMISS
    }

    /**
     * What a server has of a seat.
     *
     * @param promised the epoch below which it hears nobody
     * @param seat the node that sits there; null if nobody does
     */
    record Copy(Epoch promised, @Nullable String seat, Head head) {

        static Copy of(Epoch promised, Optional<Seating> seating, Head head) {
            return new Copy(
                    promised, seating.map(by -> by.term().node().value()).orElse(null), head);
        }
    }

    /**
     * One server.
     *
     * @param member as what it votes; null if it does not
     * @param copy null if it has not told
     * @param note what else there is to know of it; may be empty
     * @param trouble why it cannot vote now; empty if it can
     */
    record State(
            String address,
            @Nullable String member,
            @Nullable Copy copy,
            Health health,
            String note,
            String trouble) {

        private Height tip() {
            return copy == null ? Height.ZERO : copy.head().height();
        }

        private State comparedWith(long height) {
            return health == Health.WELL && copy != null && tip().value() < height - 1
                    ? new State(address, member, copy, Health.LAGGING, note, trouble)
                    : this;
        }
    }

    /** Finds those that lag: none alone can know. The newest entry may still be on its way to one that does not. */
    static List<State> compared(List<State> states) {
        long height =
                states.stream().mapToLong(state -> state.tip().value()).max().orElse(0);
        return states.stream().map(state -> state.comparedWith(height)).toList();
    }
}
