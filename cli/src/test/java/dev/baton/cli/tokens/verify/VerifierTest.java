package dev.baton.cli.tokens.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INV-12, INV-13, INV-15. */
class VerifierTest {

    private static HandedRange range(String client, long start, long end, long sentNanos, long receivedNanos) {
        return new HandedRange(client, "m", "a", false, start, end, 1, 1, 1, 1, sentNanos, receivedNanos);
    }

    private static Verdict judge(List<HandedRange> ranges) {
        return judge(ranges, Optional.empty());
    }

    private static Verdict judge(List<HandedRange> ranges, Optional<Ledger> ledger) {
        Verifier verifier = new Verifier();
        ranges.forEach(verifier::add);
        return verifier.judge(ledger);
    }

    /** What an honest service hands out: 16 clients, requests that overlap in time, a new term now and then. */
    private static List<HandedRange> honest(int count, Random random) {
        List<HandedRange> ranges = new ArrayList<>();
        long token = 1;
        long nowNanos = 0;
        for (int i = 0; i < count; i++) {
            nowNanos += 1 + random.nextInt(100);
            int size = 1 + random.nextInt(5);
            long term = 1L + i / 1000;
            ranges.add(new HandedRange(
                    "c" + i % 16,
                    "m",
                    "a",
                    false,
                    token,
                    token + size,
                    1,
                    term,
                    term,
                    i + 1,
                    nowNanos - random.nextInt(200),
                    nowNanos + random.nextInt(200)));
            token += size;
        }
        return ranges;
    }

    @Test
    void anHonestLogPassesInAnyOrderOfItsLines() {
        List<HandedRange> ranges = honest(20_000, new Random(1));
        Collections.shuffle(ranges, new Random(2));

        Verdict verdict = judge(ranges);

        assertThat(verdict.examples()).isEmpty();
        assertThat(verdict.word()).isEqualTo(Verdict.Word.PASS);
        assertThat(verdict.ranges()).isEqualTo(20_000);
        assertThat(verdict.tokens())
                .isEqualTo(ranges.stream()
                        .mapToLong(range -> range.end() - range.start())
                        .sum());
    }

    @Test
    void nothingToJudgeIsNotAPass() {
        assertThat(judge(List.of()).word()).isEqualTo(Verdict.Word.UNKNOWN);
    }

    @Test
    void eachPlantedDuplicateIsFound() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            List<HandedRange> ranges = honest(2_000, random);
            HandedRange victim = ranges.get(random.nextInt(ranges.size()));
            long token = victim.start() + random.nextLong(victim.end() - victim.start());
            ranges.add(
                    random.nextInt(ranges.size()),
                    new HandedRange("thief", "other", "a", false, token, token + 1, 1, 1, 1, 1, 0, 1));

            Verdict verdict = judge(ranges);

            assertThat(verdict.duplicates()).as("seed %s", seed).isEqualTo(1);
            assertThat(verdict.orderViolations()).as("seed %s", seed).isZero();
            assertThat(verdict.word()).isEqualTo(Verdict.Word.FAIL);
            assertThat(verdict.examples().getFirst())
                    .startsWith("handed out twice: a ")
                    .contains("for thief");
        }
    }

    @Test
    void eachPlantedOrderViolationIsFound() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            List<HandedRange> ranges = honest(2_000, random);
            // Takes tokens that were handed out in between away from their owner, and asks for them afterwards.
            HandedRange early = ranges.remove(100 + random.nextInt(1_000));
            long afterAllNanos =
                    ranges.stream().mapToLong(HandedRange::receivedNanos).max().orElseThrow() + 1;
            ranges.add(new HandedRange(
                    "late", "m", "a", false, early.start(), early.end(), 1, 9, 9, 1, afterAllNanos, afterAllNanos));

            Verdict verdict = judge(ranges);

            assertThat(verdict.orderViolations()).as("seed %s", seed).isEqualTo(1);
            assertThat(verdict.duplicates()).as("seed %s", seed).isZero();
            assertThat(verdict.word()).isEqualTo(Verdict.Word.FAIL);
            assertThat(verdict.examples().getFirst())
                    .startsWith("out of order: a ")
                    .contains("for late");
        }
    }

    @Test
    void requestsThatOverlapInTimeMayGetTokensInAnyOrder() {
        assertThat(judge(List.of(range("x", 5, 6, 0, 10), range("y", 4, 5, 10, 20)))
                        .word())
                .isEqualTo(Verdict.Word.PASS);
        assertThat(judge(List.of(range("x", 5, 6, 0, 10), range("y", 4, 5, 11, 20)))
                        .orderViolations())
                .isEqualTo(1);
    }

    @Test
    void timesOfTwoClocksAreNotCompared() {
        HandedRange elsewhere = new HandedRange("y", "n", "a", false, 4, 5, 1, 1, 1, 1, 11, 20);

        assertThat(judge(List.of(range("x", 5, 6, 0, 10), elsewhere)).word()).isEqualTo(Verdict.Word.PASS);
    }

    @Test
    void disorderInALeasedNamespaceIsToldButNotJudged() {
        Verdict verdict = judge(List.of(
                new HandedRange("x", "m", "a", true, 5, 6, 1, 1, 1, 1, 0, 10),
                new HandedRange("y", "m", "a", true, 4, 5, 1, 1, 1, 1, 11, 20)));

        assertThat(verdict.leasedOrderViolations()).isEqualTo(1);
        assertThat(verdict.orderViolations()).isZero();
        assertThat(verdict.word()).isEqualTo(Verdict.Word.PASS);
    }

    @Test
    void aRevisionThatGoesBackForACallerIsFound() {
        HandedRange first = new HandedRange("x", "m", "a", false, 1, 2, 1, 7, 7, 1, 0, 10);
        HandedRange lower = new HandedRange("x", "m", "b", false, 1, 2, 1, 6, 6, 1, 11, 20);
        HandedRange others = new HandedRange("y", "m", "b", false, 1, 2, 1, 6, 6, 1, 11, 20);

        assertThat(judge(List.of(first, lower)).revisionDecreases()).isEqualTo(1);
        assertThat(judge(List.of(first, lower)).word()).isEqualTo(Verdict.Word.FAIL);
        assertThat(judge(List.of(first, others)).word()).isEqualTo(Verdict.Word.PASS);
    }

    @Test
    void rangesOfOneStepThatInterleaveShareNothing() {
        HandedRange odd = new HandedRange("x", "m", "a", false, 1, 100, 2, 1, 1, 1, 0, 10);
        HandedRange even = new HandedRange("y", "m", "a", false, 2, 101, 2, 1, 1, 1, 0, 10);
        HandedRange third = new HandedRange("z", "m", "a", false, 98, 200, 3, 1, 1, 1, 0, 10);

        assertThat(judge(List.of(odd, even)).duplicates()).isZero();
        assertThat(judge(List.of(odd, even, third)).duplicates()).isEqualTo(1);
    }

    @Test
    void stepsUpToTheLargestNumberAreComparedExactly() {
        long max = Long.MAX_VALUE;
        assertThat(new Progression(1, max, max - 1).meets(new Progression(max - 2, max, 1)))
                .isTrue();
        assertThat(new Progression(1, max, max - 1).meets(new Progression(2, max - 1, 1)))
                .isFalse();
        assertThat(new Progression(1, max, 2).meets(new Progression(2, max - 1, 4)))
                .isFalse();
    }

    @Test
    void whatTheLedgerDoesNotCoverIsFound() {
        Ledger.Coverage coverage = new Ledger.Coverage(
                OptionalLong.of(30), 10, List.of(new Ledger.Stretch(1, 10, 20), new Ledger.Stretch(2, 20, 30)));
        Ledger ledger = new Ledger(5, Map.of("a", coverage));

        assertThat(judge(List.of(range("x", 12, 20, 0, 1)), Optional.of(ledger)).word())
                .isEqualTo(Verdict.Word.PASS);
        assertThat(judge(List.of(range("x", 20, 21, 0, 1)), Optional.of(ledger)).uncovered())
                .as("another term's")
                .isEqualTo(1);
        assertThat(judge(List.of(range("x", 19, 21, 0, 1)), Optional.of(ledger)).uncovered())
                .as("over the edge")
                .isEqualTo(1);
        assertThat(judge(List.of(range("x", 3, 31, 0, 1)), Optional.of(ledger)).uncovered())
                .as("above next")
                .isEqualTo(1);
        assertThat(judge(List.of(range("x", 12, 13, 0, 1)), Optional.of(new Ledger(5, Map.of())))
                        .uncovered())
                .as("no such namespace")
                .isEqualTo(1);
        assertThat(judge(List.of(range("x", 50, 51, 0, 1)), Optional.of(new Ledger(0, Map.of("a", coverage))))
                        .word())
                .as("a ledger that lags behind")
                .isEqualTo(Verdict.Word.UNKNOWN);
    }

    /** A ledger that has forgotten a term covers nothing of it: neither a pass nor a fault. */
    @Test
    void whatIsOlderThanTheLedgerRemembersIsToldApartAndNotJudged() {
        Ledger ledger = new Ledger(
                5, Map.of("a", new Ledger.Coverage(OptionalLong.of(30), 10, List.of(new Ledger.Stretch(1, 10, 30)))));
        HandedRange old = range("x", 3, 5, 0, 1);
        HandedRange known = range("x", 12, 20, 2, 3);

        Verdict some = judge(List.of(old, known), Optional.of(ledger));
        assertThat(some.word()).isEqualTo(Verdict.Word.UNKNOWN);
        assertThat(some.forgotten()).isEqualTo(1);
        assertThat(some.uncovered()).isZero();
        assertThat(some.doubts())
                .singleElement()
                .asString()
                .startsWith("1 of 2 ranges are older than what the ledger remembers")
                .contains("remembered from 10 on");
        assertThat(judge(List.of(range("x", 3, 10, 0, 1)), Optional.of(ledger)).word())
                .as("up to the edge")
                .isEqualTo(Verdict.Word.UNKNOWN);
        assertThat(judge(List.of(range("x", 3, 11, 0, 1)), Optional.of(ledger)).uncovered())
                .as("over the edge, which no term's range is")
                .isEqualTo(1);
        assertThat(judge(List.of(old, known, range("y", 12, 13, 4, 5)), Optional.of(ledger))
                        .word())
                .as("a duplicate is one, whatever else cannot be judged")
                .isEqualTo(Verdict.Word.FAIL);
        assertThat(judge(List.of(old, known)).word())
                .as("the ledger was not asked")
                .isEqualTo(Verdict.Word.PASS);
    }

    /** Comparing pairs would take hours. */
    @Test
    void largeLogsAreJudgedSoonEvenIfEverythingInThemIsWrong() {
        int count = 300_000;
        List<HandedRange> same = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            same.add(range("c" + i % 16, 7, 9, 2L * i, 2L * i + 1));
        }

        Verdict verdict = assertTimeout(Duration.ofSeconds(60), () -> judge(same));

        assertThat(verdict.duplicates()).isEqualTo(count - 1);
        assertThat(verdict.orderViolations()).isEqualTo(count - 1);
        assertThat(verdict.examples()).hasSize(10);
        assertThat(assertTimeout(Duration.ofSeconds(60), () -> judge(honest(count, new Random(4))))
                        .word())
                .isEqualTo(Verdict.Word.PASS);
    }

    /** Small numbers, so that everything collides with everything. */
    @Test
    void agreesWithTheNaiveJudgementOnAnything() {
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            int steps = 1 + random.nextInt(3);
            int spread = 2 + random.nextInt(60);
            List<HandedRange> ranges = new ArrayList<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                long start = 1L + random.nextInt(spread);
                long sent = random.nextInt(30) - 15L;
                ranges.add(new HandedRange(
                        "c" + random.nextInt(3),
                        "m" + random.nextInt(2),
                        "n" + random.nextInt(2),
                        random.nextInt(4) == 0,
                        start,
                        start + 1 + random.nextInt(8),
                        1 + random.nextInt(steps),
                        1 + random.nextInt(3),
                        1 + random.nextInt(3),
                        1,
                        sent,
                        sent + random.nextInt(10)));
            }
            Ledger ledger = new Ledger(
                    1,
                    Map.of(
                            "n0",
                            new Ledger.Coverage(
                                    random.nextBoolean()
                                            ? OptionalLong.empty()
                                            : OptionalLong.of(1 + random.nextInt(spread)),
                                    1 + random.nextInt(10),
                                    List.of(
                                            new Ledger.Stretch(1, 1, 1 + random.nextInt(spread)),
                                            new Ledger.Stretch(2, 5, 5 + random.nextInt(spread))))));

            Verdict verdict = judge(ranges, Optional.of(ledger));

            assertThat(verdict.duplicates()).as("seed %s", seed).isEqualTo(Naive.duplicates(ranges));
            assertThat(verdict.orderViolations()).as("seed %s", seed).isEqualTo(Naive.orderViolations(ranges, false));
            assertThat(verdict.leasedOrderViolations())
                    .as("seed %s", seed)
                    .isEqualTo(Naive.orderViolations(ranges, true));
            assertThat(verdict.revisionDecreases()).as("seed %s", seed).isEqualTo(Naive.revisionDecreases(ranges));
            assertThat(verdict.uncovered()).as("seed %s", seed).isEqualTo(Naive.uncovered(ranges, ledger));
            assertThat(verdict.forgotten()).as("seed %s", seed).isEqualTo(Naive.forgotten(ranges, ledger));
        }
    }

    @Test
    void aLogIsReadAsItWasWrittenUpToALineThatWasNotFinished(@TempDir Path dir) throws IOException {
        List<HandedRange> ranges = honest(100, new Random(3));
        Path file = dir.resolve("log");
        Files.write(file, ranges.stream().map(RangeLog::line).toList());
        Files.writeString(file, Files.readString(file) + "{\"client\":\"c1\",\"na");
        Verifier verifier = new Verifier();

        RangeLog.read(file, verifier);

        assertThat(verifier.judge(Optional.empty())).isEqualTo(judge(ranges));
    }

    @Test
    void aLineInTheMiddleThatCannotBeReadIsNotPassedOver(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("log");
        Files.write(file, List.of(RangeLog.line(range("x", 1, 2, 0, 1)), "{\"client\":", "{\"client\":\"x\"}"));
        Verifier verifier = new Verifier();

        RangeLog.read(file, verifier);

        Verdict verdict = verifier.judge(Optional.empty());
        assertThat(verdict.word()).isEqualTo(Verdict.Word.UNKNOWN);
        assertThat(verdict.doubts())
                .singleElement()
                .asString()
                .startsWith("2 lines cannot be read: " + file + ":2: ")
                .contains("namespace: missing (expected: a text)");
    }

    @Test
    void withoutAClockTimesOfTwoFilesAreNotCompared(@TempDir Path dir) throws IOException {
        String later = RangeLog.line(range("x", 5, 6, 0, 10)).replace("\"clock\":\"m\",", "");
        String earlier = RangeLog.line(range("y", 4, 5, 11, 20)).replace("\"clock\":\"m\",", "");
        Path both = Files.write(dir.resolve("both"), List.of(later, earlier));
        Path one = Files.write(dir.resolve("one"), List.of(later));
        Path other = Files.write(dir.resolve("other"), List.of(earlier));
        Verifier together = new Verifier();
        RangeLog.read(both, together);
        Verifier apart = new Verifier();
        RangeLog.read(one, apart);
        RangeLog.read(other, apart);

        assertThat(together.judge(Optional.empty()).orderViolations()).isEqualTo(1);
        assertThat(apart.judge(Optional.empty()).orderViolations()).isZero();
    }
}
