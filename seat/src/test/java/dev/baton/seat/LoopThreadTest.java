package dev.baton.seat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One task at a time, each once and in order, whichever thread runs it. */
class LoopThreadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<Throwable> defects = new CopyOnWriteArrayList<>();
    private final LoopThread loop = new LoopThread("loop-under-test", defects::add);

    @AfterEach
    void noDefects() {
        loop.close();
        assertThat(defects).isEmpty();
    }

    @Test
    void whoeverFindsItIdleRunsTheTaskAndWhatItMakesDue() {
        List<Thread> ranOn = new CopyOnWriteArrayList<>();
        runOnThisThread(() -> {
            loop.post(() -> ranOn.add(Thread.currentThread()));
            loop.schedule(loop.nanos(), () -> ranOn.add(Thread.currentThread()));
        });
        assertThat(ranOn).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    /** The thread of the loop may have found nothing to sleep for, or something later. */
    @Test
    void aTimerThatAnotherThreadSetIsNotSleptThrough() {
        CountDownLatch soon = new CountDownLatch(1);
        runOnThisThread(() -> loop.schedule(loop.nanos() + Duration.ofHours(1).toNanos(), () -> {}));
        runOnThisThread(() -> loop.schedule(loop.nanos() + Duration.ofMillis(20).toNanos(), soon::countDown));
        await().atMost(PATIENCE).until(() -> soon.getCount() == 0);
    }

    /** The thread of the loop may be awake for a moment longer: until it sleeps, the task is its own. */
    private void runOnThisThread(Runnable task) {
        Thread self = Thread.currentThread();
        await().atMost(PATIENCE).pollInSameThread().until(() -> {
            AtomicBoolean here = new AtomicBoolean();
            loop.runHere(() -> {
                if (Thread.currentThread().equals(self)) {
                    here.set(true);
                    task.run();
                }
            });
            return here.get();
        });
    }

    @Test
    void tasksWaitForTheOneThatRunsAndKeepTheirOrder() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<String> ran = new CopyOnWriteArrayList<>();
        loop.post(() -> {
            begun.countDown();
            awaitQuietly(mayEnd);
            ran.add("first");
        });
        begun.await();
        loop.post(() -> ran.add("second"));
        loop.runHere(() -> ran.add("third"));
        assertThat(ran).isEmpty();
        mayEnd.countDown();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(ran).containsExactly("first", "second", "third"));
    }

    /** A task that is posted just when a turn ends is seen by the one or the other, and never by two at once. */
    @Test
    void nothingIsLostAndNothingOverlapsWithManyThreads() throws Exception {
        int threads = 4;
        int each = 20_000;
        AtomicBoolean running = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        List<List<Integer>> ran = new ArrayList<>();
        List<Thread> posters = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int poster = i;
            List<Integer> own = new ArrayList<>();
            ran.add(own);
            AtomicInteger done = new AtomicInteger();
            posters.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < each; n++) {
                    int number = n;
                    Runnable task = () -> {
                        if (!running.compareAndSet(false, true)) {
                            overlaps.incrementAndGet();
                        }
                        own.add(number);
                        running.set(false);
                        done.incrementAndGet();
                    };
                    if (poster % 2 == 0) {
                        loop.runHere(task);
                    } else {
                        loop.post(task);
                    }
                    while (done.get() < n - 100) { // so that the mailbox does not overflow
                        Thread.onSpinWait();
                    }
                }
                await().atMost(PATIENCE).until(() -> done.get() == each); // the last one as well
            }));
        }
        for (Thread poster : posters) {
            poster.join();
        }
        assertThat(overlaps).hasValue(0);
        ran.forEach(own -> assertThat(own).hasSize(each).isSorted());
    }

    /** Nobody comes after the two, so whoever ends its turn as the other posts must see to it. */
    @Test
    void aTaskPostedAtTheEndOfATurnIsNotForgotten() throws Exception {
        int rounds = 100_000;
        AtomicInteger posted = new AtomicInteger();
        AtomicInteger round = new AtomicInteger();
        Thread poster = Thread.ofPlatform().start(() -> {
            for (int n = 1; n <= rounds; n++) {
                while (round.get() < n) {
                    Thread.onSpinWait();
                }
                loop.post(posted::incrementAndGet);
            }
        });
        for (int n = 1; n <= rounds; n++) {
            round.set(n);
            loop.runHere(() -> {});
            long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
            while (posted.get() < n) {
                assertThat(System.nanoTime()).as("round " + n).isLessThan(giveUpNanos);
                Thread.onSpinWait();
            }
        }
        poster.join();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
