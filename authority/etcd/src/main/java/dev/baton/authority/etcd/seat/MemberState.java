package dev.baton.authority.etcd.seat;

import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Seating;
import java.util.Optional;

/**
 * One member of the etcd cluster as this process sees it, for people. Nothing is decided by it: a member may be behind.
 *
 * @param figures what it says of itself; empty if it has not told
 * @param copy what it has of the seat; empty if it has not told
 * @param trouble why it has not told; empty if it has
 * @param silent whether that is because it does not answer
 */
public record MemberState(
        String address, Optional<Figures> figures, Optional<Copy> copy, Optional<String> trouble, boolean silent) {

    /**
     * A member's own figures.
     *
     * @param leads whether it is the leader of the etcd cluster
     * @param usedBytes what would be left of the database if it were defragmented
     */
    public record Figures(boolean leads, long revision, long databaseBytes, long usedBytes) {}

    /**
     * A seat as one member has it.
     *
     * @param highest the highest epoch that was given; none if the member knows nothing of the seat
     */
    public record Copy(Epoch highest, Optional<Seating> seating, Head head) {}
}
