package dev.baton.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopsTest {

    private static final AsyncCall AT_ONCE = () -> CompletableFuture.completedFuture(1);

    @Test
    void answersThatAreThereAtOnceDoNotDeepenTheStack() throws Exception {
        LoadReport report = ClosedLoop.run(LoadRequest.closed("now", 1, 0, 200), index -> AT_ONCE);

        assertThat(report.answered()).isGreaterThan(10_000); // a stack would not hold that many
        assertThat(report.failed()).isZero();
    }

    @Test
    void callerAsksAgainOnlyWhenItWasAnswered() throws Exception {
        try (ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor()) {
            ConcurrentHashMap<Integer, AtomicInteger> out = new ConcurrentHashMap<>();
            AtomicInteger most = new AtomicInteger();
            LoadReport report = ClosedLoop.run(LoadRequest.closed("later", 8, 0, 300), index -> () -> {
                int now = out.computeIfAbsent(index, i -> new AtomicInteger()).incrementAndGet();
                most.accumulateAndGet(now, Math::max);
                CompletableFuture<Integer> answer = new CompletableFuture<>();
                var unused = later.schedule(
                        () -> {
                            out.get(index).decrementAndGet();
                            answer.complete(1);
                        },
                        5,
                        TimeUnit.MILLISECONDS);
                return answer;
            });

            assertThat(out).hasSize(8);
            assertThat(most).hasValue(1);
            assertThat(report.p50Micros()).isGreaterThanOrEqualTo(4_900);
            assertThat(report.opsPerSecond()).isLessThanOrEqualTo(8 / 0.005 * 1.1);
        }
    }

    @Test
    void failuresAreCountedApartAndTheLastIsTold() throws Exception {
        LoadReport report = ClosedLoop.run(
                LoadRequest.closed("broken", 2, 0, 100),
                index -> () -> CompletableFuture.failedFuture(new IllegalStateException("no numbers today")));

        assertThat(report.answered()).isZero();
        assertThat(report.failed()).isPositive();
        assertThat(report.failure()).contains("no numbers today");
        assertThat(LoadLines.report(LoadLines.write(report)).p99Micros())
                .as("no answer is not the quickest one")
                .isNaN();
    }

    @Test
    void questionThatIsNeverAnsweredIsReported() throws Exception {
        LoadReport report = ClosedLoop.run(
                LoadRequest.closed("silent", 3, 0, 50), index -> index == 0 ? CompletableFuture::new : AT_ONCE);

        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.failure()).isEqualTo("1 questions were never answered");
    }

    @Test
    void standstillIsSeenByEveryQuestionThatWasDueMeanwhile() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        LoadReport report = OpenLoop.run(LoadRequest.open("stalling", 1_000, 0, 1_000), index -> () -> {
            if (asked.incrementAndGet() == 200) {
                busy(400);
            }
            return CompletableFuture.completedFuture(1);
        });

        // 400 of 1,000 were due while nothing was answered: half of those waited for 200 ms and more.
        assertThat(report.p99Micros()).isGreaterThan(200_000);
    }

    @Test
    void answerThatComesAfterTheEndCounts() throws Exception {
        try (ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor()) {
            LoadReport report = OpenLoop.run(LoadRequest.open("late", 100, 0, 200), index -> () -> {
                CompletableFuture<Integer> answer = new CompletableFuture<>();
                var unused = later.schedule(() -> answer.complete(1), 500, TimeUnit.MILLISECONDS);
                return answer;
            });

            assertThat(report.answered()).isBetween(1L, 20L);
            assertThat(report.p50Micros()).isGreaterThanOrEqualTo(500_000 * 0.99);
        }
    }

    @Test
    void questionOfTheWarmUpDoesNotCountWhenItsAnswerComes() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Integer> first = new CompletableFuture<>();
        LoadReport report = OpenLoop.run(LoadRequest.open("warm", 1_000, 100, 200), index -> () -> {
            if (asked.incrementAndGet() == 1) {
                return first;
            }
            if (asked.get() == 250) {
                first.complete(1);
            }
            return CompletableFuture.completedFuture(1);
        });

        assertThat(report.maxMicros()).isLessThan(240_000); // the first was due that long before
        assertThat(report.failed()).isZero();
    }

    @Test
    void questionAtAFixedRateThatIsNeverAnsweredIsReported() throws Exception {
        LoadReport report = OpenLoop.run(
                LoadRequest.open("silent", 1_000, 0, 50), index -> index == 3 ? CompletableFuture::new : AT_ONCE);

        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.failure()).isEqualTo("1 questions were never answered");
    }

    private static void busy(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < endNanos) {
            Thread.onSpinWait();
        }
    }

    @Test
    void processAnswersEachRequestWithOneReportUntilItsInputEnds() throws Exception {
        String requests = LoadLines.write(LoadRequest.closed("one", 1, 0, 20)) + "\n"
                + LoadLines.write(LoadRequest.open("two", 100, 0, 50)) + "\n";
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        LoadLines.serve(
                new ByteArrayInputStream(requests.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                arm -> index -> AT_ONCE);

        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst()).isEqualTo(LoadLines.READY);
        assertThat(LoadLines.report(lines.get(1)).arm()).isEqualTo("one");
        assertThat(LoadLines.report(lines.get(2)).arm()).isEqualTo("two");
    }
}
