package dev.baton.chaos.history;

import java.util.List;

/**
 * A transaction in a pool at the end.
 *
 * @param lists in which of the pool's lists it was found, with its stage there
 * @param stages all that the pool told of it, in order
 */
public record PoolRecord(String transaction, List<String> lists, List<String> stages) {

    public PoolRecord {
        lists = List.copyOf(lists);
        stages = List.copyOf(stages);
    }
}
