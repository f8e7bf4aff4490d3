package dev.baton.duty.mempool;

import dev.baton.core.Hash;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the watcher tells the pool about one block.
 *
 * @param parent where the chain ended before it
 * @param seen the transactions that it carries, in any number, known here or not
 * @param unseen transactions that the chain took back with it
 */
public record ChainBlock(Point point, Point parent, List<Hash> seen, List<Hash> unseen) {

    public ChainBlock {
        seen = List.copyOf(seen);
        // What a block carries is on the chain, whatever else is said about it.
        Set<Hash> carried = new HashSet<>(seen);
        unseen = unseen.stream().filter(hash -> !carried.contains(hash)).toList();
        if (point.equals(parent) || point.equals(Point.ORIGIN)) {
            throw new InvalidRequestException("point", point.toString(), "another one than its parent and the origin");
        }
    }

    public ChainBlock(Point point, Point parent, List<Hash> seen) {
        this(point, parent, seen, List.of());
    }
}
