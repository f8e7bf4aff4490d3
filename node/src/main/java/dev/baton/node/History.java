package dev.baton.node;

import dev.baton.core.Ending;
import dev.baton.core.Height;
import dev.baton.core.Term;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who held the seat when, as the blocks themselves say.
 *
 * <p>It reads each block once, when it is first asked after the block came; and keeps the newest terms only.
 */
public final class History {

    private static final int PAGE = 512;
    private static final long PAGE_BYTES = 4 << 20;

    /** Where blocks are read: in order from a height on, and not too many at once. */
    @FunctionalInterface
    public interface Blocks {
        List<StoredBlock> range(Height from, int blocks, long bytes) throws IOException;
    }

    private final Blocks blocks;
    private final TermLog log = new TermLog();

    public History(Blocks blocks) {
        this.blocks = blocks;
    }

    /**
     * One term.
     *
     * @param ended how it ended; null while no later one is known and it has not resigned
     * @param gapMillis from the last block of the term before to the first of this one; null for the first
     */
    public record Held(
            Term term,
            long openedAtMillis,
            Height firstHeight,
            Height lastHeight,
            long lastBlockAtMillis,
            @Nullable Ending ended,
            @Nullable Long gapMillis) {

        Held upTo(Height height, long atMillis) {
            return new Held(term, openedAtMillis, firstHeight, height, atMillis, ended, gapMillis);
        }

        Held ended(Ending how) {
            return new Held(term, openedAtMillis, firstHeight, lastHeight, lastBlockAtMillis, how, gapMillis);
        }

        Held notAfter(long atMillis) {
            return new Held(
                    term,
                    openedAtMillis,
                    firstHeight,
                    lastHeight,
                    Math.min(lastBlockAtMillis, atMillis),
                    ended,
                    gapMillis);
        }
    }

    /** The newest terms, oldest first. */
    public synchronized List<Held> terms(int limit) throws IOException {
        readOn();
        return log.newest(limit);
    }

    private void readOn() throws IOException {
        List<StoredBlock> page = blocks.range(log.read().next(), PAGE, PAGE_BYTES);
        while (!page.isEmpty()) {
            page.forEach(stored ->
                    log.take(stored.block().entry(), stored.block().body().timeMillis(), true));
            page = blocks.range(log.read().next(), PAGE, PAGE_BYTES);
        }
    }
}
