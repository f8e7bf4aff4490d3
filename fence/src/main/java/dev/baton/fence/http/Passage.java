package dev.baton.fence.http;

import dev.baton.fence.Fence;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a gate says to a request. */
public sealed interface Passage {

    /**
     * The request may be handled. Close this when it has been: until then nobody with a higher fence gets in. It may be
     * closed by another thread, and more than once.
     */
    final class Open implements Passage, AutoCloseable {

        private final Fence fence;
        private final Runnable leave;
        private final AtomicBoolean left = new AtomicBoolean();

        Open(Fence fence, Runnable leave) {
            this.fence = fence;
            this.leave = leave;
        }

        public Fence fence() {
            return fence;
        }

        @Override
        public void close() {
            if (left.compareAndSet(false, true)) {
                leave.run();
            }
        }
    }

    /**
     * The request is to be answered with this instead.
     *
     * @param body JSON
     */
    record Refused(int status, String body) implements Passage {}
}
