package dev.baton.authority.nats.seat;

import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Seating;
import java.util.Optional;

/**
 * One NATS server as this process sees it, for people. Nothing is decided by it.
 *
 * @param name what the other servers call it; empty if it was never reached
 * @param part what it does for the seat's stream
 * @param lag how many operations of the stream it still lacks, as the stream's leader counts; 0 for the leader
 * @param copy what it has of the seat; empty if it lags, keeps no copy, or nobody can say
 * @param trouble why it is of no use now; empty if it is
 * @param silent whether that is because it does not answer
 */
public record ServerState(
        String address,
        Optional<String> name,
        Part part,
        long lag,
        Optional<Copy> copy,
        Optional<String> trouble,
        boolean silent) {

    /** What a server does for a stream. */
    public enum Part {
        LEADER,
        REPLICA,
        /** It keeps nothing of the stream, but passes requests on. */
        NONE,
        /** The stream's leader did not answer, or there is no stream yet. */
        UNKNOWN
    }

    /**
     * A seat as its stream has it.
     *
     * @param highest the epoch of the last promotion; none before the first
     */
    public record Copy(Epoch highest, Optional<Seating> seating, Head head) {}
}
