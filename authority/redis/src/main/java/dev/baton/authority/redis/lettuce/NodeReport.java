package dev.baton.authority.redis.lettuce;

import dev.baton.core.SeatId;
import java.util.Map;
import java.util.Set;

/** What was found at one node before anything was started. */
public sealed interface NodeReport {

    String address();

    /** It cannot be reached, or does not let us in. */
    record Unreachable(String address, String why) implements NodeReport {

        /** The node is there; it is we who are not known to it. */
        public boolean isRefusedLogin() {
            return why.startsWith("WRONGPASS")
                    || why.startsWith("NOAUTH")
                    || why.startsWith("NOPERM")
                    || why.contains("without any password configured");
        }
    }

    /**
     * It answers.
     *
     * @param seats what it keeps of the seats that were asked for
     * @param kept all seats that it keeps, as {@code cluster/seat/era}
     */
    record Reached(String address, NodeFacts facts, Map<SeatId, SeatLook> seats, Set<String> kept)
            implements NodeReport {
        public Reached {
            seats = Map.copyOf(seats);
            kept = Set.copyOf(kept);
        }
    }
}
