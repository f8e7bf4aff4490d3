package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // what hangs may hear no interrupt
final class BoundedCloseTest {

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(50);

    /** A member whose engine never closed kept whoever stopped it waiting for ever. */
    @Test
    void whatNeverClosesIsLeftToItself() throws Exception {
        AtomicBoolean begun = new AtomicBoolean();

        BoundedClose.within(SHORT, "a thing that hangs", () -> {
            begun.set(true);
            while (true) {
                LockSupport.park();
            }
        });

        assertThat(begun).isTrue();
    }

    @Test
    void whatClosesIsWaitedFor() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean closed = new AtomicBoolean();
        Thread.ofVirtual().start(goOn::countDown);

        BoundedClose.within(LONG, "a thing", () -> {
            try {
                closed.set(goOn.await(LONG.toSeconds(), TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });

        assertThat(closed).isTrue();
    }

    @Test
    void whatFailsIsTold() {
        assertThatThrownBy(() -> BoundedClose.within(LONG, "a thing", () -> {
                    throw new IOException("no disk");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no disk");
    }

    @Test
    void anInterruptIsKeptForLaterAndShortensNothing() throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        Thread.currentThread().interrupt();

        BoundedClose.within(LONG, "a thing", () -> closed.set(true));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(closed).isTrue();
    }
}
