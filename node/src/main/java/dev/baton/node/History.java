package dev.baton.node;

import dev.baton.core.Ending;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.Term;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who held the seat when, as the blocks themselves say.
 *
 * <p>It reads each block once, when it is first asked after the block came; and keeps the newest terms only.
 */
public final class History {

    /** More than anybody reads; a cluster that changes its holder every minute fills it in a week. */
    static final int MOST_TERMS = 10_000;

    private static final int PAGE = 512;
    private static final long PAGE_BYTES = 4 << 20;

    /** Where blocks are read: in order from a height on, and not too many at once. */
    @FunctionalInterface
    public interface Blocks {
        List<StoredBlock> range(Height from, int blocks, long bytes) throws IOException;
    }

    private final Blocks blocks;
    private final List<Held> terms = new ArrayList<>();
    private Height read = Height.ZERO;
    private long lastBlockAtMillis;

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

        private Held upTo(Height height, long atMillis) {
            return new Held(term, openedAtMillis, firstHeight, height, atMillis, ended, gapMillis);
        }

        private Held ended(Ending how) {
            return new Held(term, openedAtMillis, firstHeight, lastHeight, lastBlockAtMillis, how, gapMillis);
        }
    }

    /** The newest terms, oldest first. */
    public synchronized List<Held> terms(int limit) throws IOException {
        readOn();
        return List.copyOf(terms.subList(Math.max(0, terms.size() - limit), terms.size()));
    }

    private void readOn() throws IOException {
        List<StoredBlock> page = blocks.range(read.next(), PAGE, PAGE_BYTES);
        while (!page.isEmpty()) {
            page.forEach(stored -> take(stored.block()));
            page = blocks.range(read.next(), PAGE, PAGE_BYTES);
        }
    }

    private void take(Block block) {
        long atMillis = block.body().timeMillis();
        for (Fact fact : block.entry().facts()) {
            if (fact instanceof Fact.Opened opened) {
                open(opened, block.height(), atMillis);
            }
        }
        if (!terms.isEmpty()) {
            Held current = terms.getLast().upTo(block.height(), atMillis);
            boolean resigned = block.entry().facts().stream().anyMatch(Fact.Resigned.class::isInstance);
            terms.set(terms.size() - 1, resigned ? current.ended(Ending.RESIGNED) : current);
        }
        read = block.height();
        lastBlockAtMillis = atMillis;
    }

    private void open(Fact.Opened opened, Height height, long atMillis) {
        Long gap = read.equals(Height.ZERO) ? null : Long.valueOf(atMillis - lastBlockAtMillis);
        if (!terms.isEmpty()) {
            terms.set(terms.size() - 1, terms.getLast().ended(opened.predecessorEnded()));
        }
        terms.add(new Held(opened.seating().term(), opened.openedAtMillis(), height, height, atMillis, null, gap));
        if (terms.size() > MOST_TERMS) {
            terms.removeFirst();
        }
    }
}
