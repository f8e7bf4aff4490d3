package dev.baton.cli.tokens;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What a run of {@code hammer} counts. Thread-safe. */
final class HammerFigures {

    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

    private final Histogram micros = new Histogram(LONGEST_MICROS, 3);
    private final long begunNanos = System.nanoTime();
    private long answers;
    private long tokens;
    private long retries;
    private long duplicates;
    private long lost;
    private long lastAnswerNanos = begunNanos;
    private long longestGapNanos;

    synchronized void answered(long sentNanos, long receivedNanos, long count, boolean duplicate) {
        answers++;
        tokens += count;
        duplicates += duplicate ? 1 : 0;
        micros.recordValue(Math.min(LONGEST_MICROS, TimeUnit.NANOSECONDS.toMicros(receivedNanos - sentNanos)));
        longestGapNanos = Math.max(longestGapNanos, receivedNanos - lastAnswerNanos);
        lastAnswerNanos = Math.max(lastAnswerNanos, receivedNanos);
    }

    synchronized void retried() {
        retries++;
    }

    /** A request whose outcome will never be known: its time was up, or the service has forgotten its id. */
    synchronized void lost() {
        lost++;
    }

    synchronized long answers() {
        return answers;
    }

    synchronized ObjectNode json() {
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        return Json.object()
                .put("answers", answers)
                .put("tokens", tokens)
                .put("answersPerSecond", Math.round(answers / seconds))
                .put("retries", retries)
                .put("repeatedAnswers", duplicates)
                .put("unanswered", lost)
                .put("p50Micros", micros.getValueAtPercentile(50))
                .put("p99Micros", micros.getValueAtPercentile(99))
                .put("maxMicros", micros.getMaxValue())
                .put("longestGapMillis", TimeUnit.NANOSECONDS.toMillis(longestGapNanos));
    }

    synchronized List<String> words() {
        ObjectNode json = json();
        return List.of(
                answers + " answers with " + tokens + " tokens, "
                        + json.path("answersPerSecond").asLong() + " a second; " + retries + " retries, " + duplicates
                        + " answered again with the same tokens, " + lost + " never answered",
                "half within " + json.path("p50Micros").asLong() + " µs, 99 of 100 within "
                        + json.path("p99Micros").asLong() + " µs; the longest time without any answer: "
                        + json.path("longestGapMillis").asLong() + " ms");
    }
}
