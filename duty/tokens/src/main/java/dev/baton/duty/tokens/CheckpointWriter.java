package dev.baton.duty.tokens;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Spreads a checkpoint over entries, a part each, so that none becomes too large for an engine. Duty thread only. */
final class CheckpointWriter {

    static final int PART_BYTES = 512 << 10;

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
        int parts = (state.size() + PART_BYTES - 1) / PART_BYTES;
        ByteBuffer rest = state.asBuffer();
        List<Fact.Checkpoint> facts = new ArrayList<>();
        for (int part = 1; part <= parts; part++) {
            byte[] piece = new byte[Math.min(PART_BYTES, rest.remaining())];
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

    boolean isWriting() {
        return !toWrite.isEmpty();
    }

    /** Another holder may have written since: what is left of an old checkpoint is of no use. */
    void startAnew() {
        toWrite = List.of();
    }
}
