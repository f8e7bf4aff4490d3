package dev.baton.duty.mempool;

import java.util.List;

/**
 * A part of a listing.
 *
 * @param next the cursor of the next part
 * @param hasMore whether that part had anything when this one was read
 */
public record Page<T>(List<T> items, long next, boolean hasMore) {

    public Page {
        items = List.copyOf(items);
    }
}
