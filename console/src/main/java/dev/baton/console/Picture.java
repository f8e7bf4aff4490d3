package dev.baton.console;

import dev.baton.core.Bytes;
import java.util.List;

/**
 * How things stand at one moment, made once for everybody who looks.
 *
 * @param essence what counts as news: two pictures with the same essence differ in ages and countdowns only
 * @param state a JSON object, on one line
 * @param blocks the newest blocks, oldest first
 */
public record Picture(String essence, Bytes state, List<Block> blocks) {

    /** As many as a page that comes back is told of; older ones it can ask for. */
    public static final int MOST_BLOCKS = 100;

    public Picture {
        blocks = List.copyOf(blocks.subList(Math.max(0, blocks.size() - MOST_BLOCKS), blocks.size()));
    }

    /** A block as a JSON object, on one line. */
    public record Block(long height, Bytes json) {}

    long top() {
        return blocks.isEmpty() ? 0 : blocks.getLast().height();
    }
}
