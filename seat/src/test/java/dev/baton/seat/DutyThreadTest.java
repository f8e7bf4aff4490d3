package dev.baton.seat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An interrupt is for the call that runs: what the same thread does for the loop is not to be cut short. */
class DutyThreadTest {

    private static final long PATIENCE_SECONDS = 20;

    private final List<Throwable> defects = new CopyOnWriteArrayList<>();
    private final LoopThread loop = new LoopThread("loop-under-test", defects::add);
    private final DutyThread duty = new DutyThread("duty-under-test", loop);

    @AfterEach
    void noDefects() {
        duty.close();
        loop.close();
        assertThat(defects).isEmpty();
    }

    @Test
    void aHungCallIsInterruptedAndTheLoopHearsOfIt() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CompletableFuture<String> outcome = new CompletableFuture<>();
        duty.run(() -> {
            hangs.countDown();
            String what = interruptedWhileWaiting() ? "interrupted" : "not interrupted";
            return () -> outcome.complete(what + (Thread.currentThread().isInterrupted() ? ", and still" : ""));
        });
        hangs.await();
        duty.interrupt();
        assertThat(outcome.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("interrupted");
    }

    @Test
    void whatItDoesForTheLoopIsNeitherInterruptedNorCutShortByTheEnd() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        duty.run(() -> () -> {
            duty.interrupt(); // as the loop does when it stops a term
            duty.close();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        assertThat(interrupted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aHungCallDoesNotHoldUpTheLoop() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        duty.run(() -> {
            hangs.countDown();
            interruptedWhileWaiting();
            return () -> {};
        });
        hangs.await();
        CompletableFuture<String> posted = new CompletableFuture<>();
        loop.post(() -> posted.complete("the loop goes on"));
        assertThat(posted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("the loop goes on");
        duty.interrupt();
    }

    private static boolean interruptedWhileWaiting() {
        try {
            Thread.sleep(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
