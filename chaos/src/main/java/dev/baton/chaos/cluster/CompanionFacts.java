package dev.baton.chaos.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * What a process beside a node has to be told.
 *
 * @param listen where it is to listen, {@code host:port}
 * @param others where those beside the other nodes are reached
 * @param all the folder that has the folders of all nodes in it
 * @param data where it may keep what it must not forget
 */
public record CompanionFacts(String listen, List<String> others, Path all, Path data) {

    public CompanionFacts {
        others = List.copyOf(others);
    }
}
