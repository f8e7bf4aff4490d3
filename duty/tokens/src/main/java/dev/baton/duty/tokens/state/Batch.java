package dev.baton.duty.tokens.state;

import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.TokenSettings.Region;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one entry decides, in the order in which it takes effect.
 *
 * @param opening in the first entry of a term
 * @param settles from here on replies carry this term's revision, and leased tokens may be handed out
 * @param region in the entry that makes the first namespace
 * @param clients who asked with ids; runs refer to them by position
 */
public record Batch(
        @Nullable Opening opening,
        boolean settles,
        @Nullable Region region,
        List<Creation> creations,
        List<Freeze> freezes,
        List<String> clients,
        List<Run> runs,
        List<Lease> leases) {

    /**
     * What the holder of a new term says of itself.
     *
     * @param address where it serves tokens; may be empty
     * @param window how many requests with ids are remembered from here on
     */
    public record Opening(String address, int window) {}

    /** A new namespace; its number is the next one. */
    public record Creation(
            String name, Guarantee guarantee, long start, long step, long ceiling, long maxCount, int shards) {}

    public record Freeze(int namespace, boolean frozen) {}

    /**
     * A range of a leased namespace that is committed ahead.
     *
     * @param firstToken its first token
     * @param count how many tokens
     * @param unhanded how many tokens of this term's earlier ranges had not been handed out yet
     */
    public record Lease(int namespace, long firstToken, long count, long unhanded) {}
}
