package dev.baton.proxy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What each node last said about itself, and who therefore holds the seat.
 *
 * <p>A node is believed about itself only. Of several that claim the seat the one with the highest epoch is right: the
 * others stand still or have not noticed yet. Below an epoch that was seen once nobody is believed any more, so that a
 * frozen holder does not become the holder again when its successor dies. Not thread-safe.
 */
final class Claims {

    /**
     * A node's own word.
     *
     * @param serves whether it holds the seat and takes work
     * @param ready whether it has everything, so that it may answer reads
     */
    record Claim(long era, long epoch, boolean serves, boolean ready) {
        static final Claim NONE = new Claim(0, 0, false, false);

        boolean isAtLeast(Claim other) {
            return era > other.era || (era == other.era && epoch >= other.epoch);
        }
    }

    private final Map<Upstream, Claim> said = new LinkedHashMap<>();
    private Claim highest = Claim.NONE;
    private View view = View.NOTHING;

    Claims(List<Upstream> upstreams) {
        upstreams.forEach(upstream -> said.put(upstream, Claim.NONE));
    }

    View view() {
        return view;
    }

    /** Takes a node's word; true if another node holds the seat now, or nobody does. */
    boolean heard(Upstream from, Claim claim) {
        said.put(from, claim);
        if (claim.serves() && claim.isAtLeast(highest)) {
            highest = claim;
        }
        Optional<Upstream> holder = said.entrySet().stream()
                .filter(entry -> entry.getValue().serves() && entry.getValue().isAtLeast(highest))
                .map(Map.Entry::getKey)
                .findFirst();
        List<Upstream> ready = new ArrayList<>();
        said.forEach((upstream, word) -> {
            if (word.ready() && !holder.equals(Optional.of(upstream))) {
                ready.add(upstream);
            }
        });
        boolean changed = !holder.equals(view.holder()) || highest.epoch() != view.epoch();
        view = new View(changed ? view.version() + 1 : view.version(), holder, highest.epoch(), ready);
        return changed;
    }

    /** A node does not answer: it is nobody's holder until it does. */
    boolean lost(Upstream from) {
        return heard(from, Claim.NONE);
    }
}
