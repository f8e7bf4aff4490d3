package dev.baton.duty.tokens;

import dev.baton.core.Bytes;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Gathers the parts of a checkpoint as entries bring them; a first part begins anew. Not thread-safe. */
final class CheckpointParts {

    private final List<Bytes> parts = new ArrayList<>();
    private Height covers = Height.ZERO;
    private long bytes;

    /** Takes a part; whether the checkpoint is complete now. */
    boolean add(Fact.Checkpoint part) {
        if (part.part() == 1) {
            covers = part.covers();
            parts.clear();
            bytes = 0;
        } else if (part.part() != parts.size() + 1 || !part.covers().equals(covers)) {
            return false; // the rest of one whose beginning was not seen
        }
        parts.add(part.state());
        bytes += part.state().size();
        return part.part() == part.parts();
    }

    /** The last height that the checkpoint takes into account. */
    Height covers() {
        return covers;
    }

    long bytes() {
        return bytes;
    }

    /** Everything gathered, in one piece. */
    Bytes whole() {
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(bytes));
        parts.forEach(part -> all.put(part.asBuffer()));
        return Bytes.wrap(all.array());
    }

    void clear() {
        parts.clear();
    }
}
