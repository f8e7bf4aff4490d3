package dev.baton.proxy;

import java.util.List;
import java.util.Optional;

/**
 * Who holds the seat, as far as the proxy knows.
 *
 * @param version grows whenever the holder changes, leaves or comes
 * @param epoch the highest at which anybody held the seat; a claim below it is out of date
 * @param ready the nodes that have everything and follow: they may answer reads
 */
record View(long version, Optional<Upstream> holder, long epoch, List<Upstream> ready) {

    static final View NOTHING = new View(0, Optional.empty(), 0, List.of());

    View {
        ready = List.copyOf(ready);
    }

    boolean isHeldBy(Upstream upstream) {
        return holder.equals(Optional.of(upstream));
    }
}
