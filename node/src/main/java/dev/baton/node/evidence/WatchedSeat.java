package dev.baton.node.evidence;

import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.seat.JoinedSeat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A seat that is asked for on evidence.
 *
 * @param holder who holds it now, as far as this node knows
 * @param evidence told of the term whose process is gone
 */
public record WatchedSeat(Supplier<Optional<Seating>> holder, Consumer<Term> evidence) {

    public static WatchedSeat of(JoinedSeat seat) {
        return new WatchedSeat(() -> seat.status().currentHolder(), seat::evidence);
    }
}
