package dev.baton.duty.tokens;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Spreads a checkpoint over the entries that come anyway, a part each: small ones, because whoever waits for an entry
 * waits for the part that it carries. Duty thread only.
 */
final class CheckpointWriter {

    static final int LEAST_PART_BYTES = 16 << 10;

    /** No more than an engine takes with ease. */
    private static final int MOST_PART_BYTES = 512 << 10;

    /** So that a large state is written before the next checkpoint is due. */
    private static final int FEW_PARTS = 128;

    private final int every;
    private List<Fact.Checkpoint> toWrite = List.of();

    CheckpointWriter(int every) {
        this.every = every;
    }

    /** What the entry after {@code height} carries: the next part, if one is under way or due. */
    List<Fact> after(Height height, Height lastCovered, Supplier<Bytes> state) {
        if (toWrite.isEmpty() && height.value() - lastCovered.value() >= every) {
            toWrite = split(height, state.get());
        }
        return toWrite.isEmpty() ? List.of() : List.of(toWrite.getFirst());
    }

    private static List<Fact.Checkpoint> split(Height covers, Bytes state) {
        int partBytes = Math.clamp(state.size() / FEW_PARTS, LEAST_PART_BYTES, MOST_PART_BYTES);
        int parts = Math.ceilDiv(state.size(), partBytes);
        ByteBuffer rest = state.asBuffer();
        List<Fact.Checkpoint> facts = new ArrayList<>();
        for (int part = 1; part <= parts; part++) {
            byte[] piece = new byte[Math.min(partBytes, rest.remaining())];
            rest.get(piece);
            facts.add(new Fact.Checkpoint(covers, part, parts, Bytes.wrap(piece)));
        }
        return List.copyOf(facts);
    }

    /** The entry is committed; a part that it carries is written. */
    void committed(Entry entry) {
        if (!toWrite.isEmpty() && entry.facts().contains(toWrite.getFirst())) {
            toWrite = toWrite.subList(1, toWrite.size());
        }
    }

    /** Another holder may have written since: what is left of an old checkpoint is of no use. */
    void startAnew() {
        toWrite = List.of();
    }
}
