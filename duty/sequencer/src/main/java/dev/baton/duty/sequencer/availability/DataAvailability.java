package dev.baton.duty.sequencer.availability;

import dev.baton.core.Height;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.util.List;

/** The layer on which blocks are published. Thread-safe. */
public interface DataAvailability extends AutoCloseable {

    /**
     * Publishes consecutive blocks, the first of which is at most the one after {@link #publishedHeight()}; durable
     * on return. Safe to repeat: what is published already is left alone. May block.
     */
    void publish(List<StoredBlock> blocks) throws Exception;

    /** The highest block that is published, with all before it. May lag behind; must not block for long. */
    Height publishedHeight();

    /** How many batches the layer holds: its own height, as far as this node knows. Must not block. */
    long height();

    /** The layer's own position, such as {@code local:17}; a block names it as its origin. Must not block. */
    String origin();

    @Override
    void close();
}
