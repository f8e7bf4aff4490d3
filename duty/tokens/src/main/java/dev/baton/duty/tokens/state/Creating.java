package dev.baton.duty.tokens.state;

import dev.baton.core.Height;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceSpec;
import dev.baton.duty.tokens.TokenSettings.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What namespaces a wish comes to.
 *
 * <p>Regions and shards are the same trick twice: each of {@code n} parties begins one token further and steps {@code n}
 * times as far, so that no two ever hand out the same token.
 */
final class Creating {

    static final int MOST_SHARDS = 1024;

    private Creating() {}

    /** The namespaces to make; a wish that can never be granted is refused with an {@link IllegalArgumentException}. */
    static List<Batch.Creation> of(NamespaceSpec wanted, Region region, long maxCount) {
        Spelling.nameFault(wanted.name()).ifPresent(Creating::refuse);
        long start = wanted.start().orElse(1L + region.index());
        long step = wanted.step().orElse(region.of());
        if (start < 1 || (start - 1) % region.of() != region.index()) {
            refuse("start: " + start + " (expected: "
                    + (region.of() == 1
                            ? "1 or more)"
                            : (1 + region.index()) + " or that plus a multiple of " + region.of()
                                    + ", since this is region " + region.index() + " of " + region.of() + ")"));
        }
        if (step < 1 || step % region.of() != 0) {
            refuse("step: " + step + " (expected: "
                    + (region.of() == 1
                            ? "1 or more)"
                            : "a multiple of " + region.of() + ", since there are so many regions)"));
        }
        long ceiling = wanted.ceiling().orElse(Shape.HIGHEST_CEILING);
        long most = wanted.maxCount().orElse(maxCount);
        int shards = wanted.shards().orElse(1);
        if (shards < 1 || shards > MOST_SHARDS) {
            refuse("shards: " + shards + " (expected: 1 to " + MOST_SHARDS + ")");
        }
        List<Batch.Creation> creations = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            boolean isShard = wanted.shards().isPresent();
            String name = isShard ? shardName(wanted.name(), i) : wanted.name();
            Spelling.nameFault(name).ifPresent(Creating::refuse);
            long first = exact(start, i, step);
            long stride = exact(0, shards, step);
            creations.add(checked(
                    new Batch.Creation(name, wanted.guarantee(), first, stride, ceiling, most, isShard ? shards : 0)));
        }
        return creations;
    }

    /** Made on first use: strict, with the defaults. */
    static Batch.Creation onFirstUse(String name, Region region, long maxCount) {
        NamespaceSpec wanted = new NamespaceSpec(
                name,
                Guarantee.STRICT,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty());
        return of(wanted, region, maxCount).getFirst();
    }

    private static long exact(long start, long times, long step) {
        try {
            return Math.addExact(start, Math.multiplyExact(times, step));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "step: " + step + " times " + times + " (expected: " + Long.MAX_VALUE + " or less)", e);
        }
    }

    private static Batch.Creation checked(Batch.Creation creation) {
        new Shape(
                0,
                creation.name(),
                creation.guarantee(),
                creation.start(),
                creation.step(),
                creation.ceiling(),
                creation.maxCount(),
                Height.ZERO,
                creation.shards());
        return creation;
    }

    /** Whether what there is fits the wish; what the wish leaves open fits in any case. */
    static boolean fits(NamespaceSpec wanted, Shape first) {
        long perShard = Math.max(1, first.shards());
        return wanted.guarantee() == first.guarantee()
                && fits(wanted.start(), first.start())
                && fits(wanted.step(), first.step() / perShard)
                && fits(wanted.ceiling(), first.ceiling())
                && fits(wanted.maxCount(), first.maxCount())
                && wanted.shards().orElse(0) == first.shards();
    }

    private static boolean fits(OptionalLong wanted, long there) {
        return wanted.isEmpty() || wanted.getAsLong() == there;
    }

    static String shardName(String base, int shard) {
        return base + "/" + shard;
    }

    /** The name before the last segment; the name itself if there is but one. */
    static String baseOf(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }

    private static void refuse(String why) {
        throw new IllegalArgumentException(why);
    }
}
