package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The committed blocks as far as anybody saw them, one of each kind per height.
 *
 * <p>The same block from a hundred sightings is kept once: the first, or the first that lists its transactions.
 * Engines are not asked here: what an engine's server holds at its tip need not be committed.
 */
final class Chain {

    /** A block, with who showed it first and when. */
    record Sighting(Held block, String where, long atNanos) {}

    private final NavigableMap<Long, List<Sighting>> byHeight = new TreeMap<>();
    /** The lowest height that some store still has at the end; nothing below can be missed. */
    private final Optional<Long> lowestStored;

    private Chain(Optional<Long> lowestStored) {
        this.lowestStored = lowestStored;
    }

    static Chain of(Account account) {
        Chain chain = new Chain(account.stores().values().stream()
                .filter(store -> !store.blocks().isEmpty())
                .map(store -> store.blocks().get(0).height())
                .min(Long::compare));
        // Stores first: what is held at the end is the block, what differs from it is the other one.
        for (Holding store : account.stores().values()) {
            store.blocks().forEach(block -> chain.add(block, "the store of " + store.source(), store.readNanos()));
        }
        for (Event.BlockSeen seen : account.blocks()) {
            chain.add(seen.block(), "reader " + seen.reader() + " at " + seen.source(), seen.atNanos());
        }
        return chain;
    }

    private void add(Held block, String where, long atNanos) {
        List<Sighting> known = byHeight.computeIfAbsent(block.height(), height -> new ArrayList<>(1));
        for (int i = 0; i < known.size(); i++) {
            Held other = known.get(i).block();
            if (isSame(other, block)) {
                if (!other.isListed() && block.isListed()) {
                    known.set(i, new Sighting(block, where, atNanos));
                }
                return;
            }
        }
        known.add(new Sighting(block, where, atNanos));
    }

    /** Two sightings that say different things about a height are kept apart, also under the same hash. */
    private static boolean isSame(Held one, Held other) {
        return one.hash().equals(other.hash())
                && one.epoch() == other.epoch()
                && (one.producer().equals(other.producer())
                        || one.producer().isEmpty()
                        || other.producer().isEmpty())
                && (one.parent().equals(other.parent())
                        || one.parent().isEmpty()
                        || other.parent().isEmpty())
                && (!one.isListed() || !other.isListed() || one.transactions().equals(other.transactions()));
    }

    NavigableMap<Long, List<Sighting>> byHeight() {
        return byHeight;
    }

    Optional<Held> at(long height) {
        return Optional.ofNullable(byHeight.get(height))
                .map(sightings -> sightings.get(0).block());
    }

    Optional<Long> lowestStored() {
        return lowestStored;
    }

    /** Every place of every listed transaction; only the first block of a height counts. */
    Map<String, List<Place>> places() {
        Map<String, List<Place>> places = new HashMap<>();
        byHeight.forEach((height, sightings) -> {
            List<String> transactions = sightings.get(0).block().transactions();
            for (int index = 0; index < transactions.size(); index++) {
                places.computeIfAbsent(transactions.get(index), t -> new ArrayList<>(1))
                        .add(new Place(height, index));
            }
        });
        return places;
    }

    /** Where a transaction is. */
    record Place(long height, int index) {
        @Override
        public String toString() {
            return height + "/" + index;
        }
    }
}
