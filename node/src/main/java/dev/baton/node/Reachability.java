package dev.baton.node;

import dev.baton.authority.Look;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Whether servers outside can be reached well enough that leading is possible at all; asked now and then, never waited
 * for. One bad look is no objection: it would only delay a takeover that could succeed.
 */
final class Reachability implements Supplier<Optional<String>> {

    private static final long EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Supplier<CompletionStage<Look>> look;
    private volatile Optional<String> last = Optional.empty();
    private volatile Optional<String> beforeLast = Optional.empty();
    private boolean asked;
    private long askedNanos;

    Reachability(Supplier<CompletionStage<Look>> look) {
        this.look = look;
    }

    @Override
    public Optional<String> get() {
        if (isTime()) {
            var unused = look.get().thenAccept(seen -> {
                beforeLast = last;
                last = seen instanceof Look.Unavailable(String why) ? Optional.of(why) : Optional.empty();
            });
        }
        return beforeLast.isPresent() ? last : Optional.empty();
    }

    private synchronized boolean isTime() {
        long now = System.nanoTime();
        boolean time = !asked || now - askedNanos >= EACH_NANOS;
        if (time) {
            asked = true;
            askedNanos = now;
        }
        return time;
    }
}
