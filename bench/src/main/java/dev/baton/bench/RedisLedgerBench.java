package dev.baton.bench;

import dev.baton.authority.redis.Founding;
import dev.baton.authority.redis.RedisAuthority;
import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.core.Bytes;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What an append costs over Redis nodes: beside a script that does nothing but add the entry, at a low and at a great
 * height, with a node that never answers, and with five nodes instead of three; and beside a script that looks for the
 * height in the whole stream.
 *
 * <p>All on the same Redis processes, which sync to disk before they answer. The arms take turns.
 */
final class RedisLedgerBench implements AutoCloseable {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final int APPENDS_A_TURN = 40;
    private static final int SCANS_A_TURN = 3;
    private static final int WIDE_ENTRIES = 1_000;
    private static final int WIDE_BYTES = 10 << 10;

    /** What is compared. */
    enum Arm {
        /** Three nodes, a short ledger. */
        LOW,
        /** Three nodes, a long ledger. */
        HIGH,
        /** The same fan-out, waiting for two of three, with a script that only adds the entry. */
        FLOOR,
        /** Three nodes, a thousand entries of 10 KiB. */
        WIDE,
        /** The same, with a script that looks for the height in the whole stream. */
        SCAN,
        /** Three nodes, of which one accepts everything and answers nothing. */
        HALF_ALIVE,
        FIVE
    }

    private final Consumer<String> progress;
    private final List<RedisProcess> processes = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    RedisLedgerBench(Path folder, Consumer<String> progress) throws Exception {
        this.progress = progress;
        for (int i = 1; i <= 6; i++) {
            processes.add(RedisProcess.start(folder.resolve("redis-" + i)));
        }
    }

    /** Medians of each arm in one round, in milliseconds. */
    record Round(Map<Arm, Double> medians) {
        double ratio(Arm over, Arm under) {
            return medians.getOrDefault(over, Double.NaN) / medians.getOrDefault(under, Double.NaN);
        }
    }

    record Outcome(Map<Arm, Sample> samples, List<Round> rounds) {

        /** The median over all rounds. */
        double ratio(Arm over, Arm under) {
            List<Double> sorted = ratios(over, under).stream().sorted().toList();
            return sorted.get(sorted.size() / 2);
        }

        List<Double> ratios(Arm over, Arm under) {
            return rounds.stream()
                    .map(round -> Sample.rounded(round.ratio(over, under)))
                    .toList();
        }

        Map<String, Object> summaries() {
            Map<String, Object> all = new LinkedHashMap<>();
            samples.forEach((arm, sample) -> all.put(arm.name(), sample.summaryWithP99()));
            return all;
        }
    }

    Outcome run(long low, long high, int rounds, int payloadBytes) throws Exception {
        Bytes payload = Bytes.wrap(new byte[payloadBytes]);
        Bytes wide = Bytes.wrap(new byte[WIDE_BYTES]);
        List<String> three = addresses(1, 2, 3);
        LedgerWriter lowWriter = writer("low", three).fill(low, payload, progress);
        LedgerWriter highWriter = writer("high", three).fill(high, payload, progress);
        LedgerWriter wideWriter = writer("wide", three).fill(WIDE_ENTRIES, wide, progress);
        LedgerWriter fiveWriter = writer("five", addresses(1, 2, 3, 4, 5)).fill(low, payload, progress);
        LedgerWriter halfWriter = writer("half", addresses(1, 2, 6)).fill(low, payload, progress);
        ScriptedFanOut floor = keep(ScriptedFanOut.adding(three));
        ScriptedFanOut scan = keep(ScriptedFanOut.scanning(three));
        for (int i = 0; i < WIDE_ENTRIES; i++) {
            floor.append("scan", i + 1, wide); // filled by the script that does not look, or it takes for ever
        }
        processes.get(5).freeze();
        Map<Arm, Turn> turns = new EnumMap<>(Arm.class);
        turns.put(Arm.LOW, Turn.of(APPENDS_A_TURN, () -> lowWriter.append(payload)));
        turns.put(Arm.FLOOR, Turn.of(APPENDS_A_TURN, () -> floor.append("floor", floor.next(), payload)));
        turns.put(Arm.HIGH, Turn.of(APPENDS_A_TURN, () -> highWriter.append(payload)));
        turns.put(Arm.HALF_ALIVE, Turn.of(APPENDS_A_TURN, () -> halfWriter.append(payload)));
        turns.put(Arm.FIVE, Turn.of(APPENDS_A_TURN, () -> fiveWriter.append(payload)));
        turns.put(Arm.WIDE, Turn.of(APPENDS_A_TURN, () -> wideWriter.append(wide)));
        turns.put(Arm.SCAN, Turn.of(SCANS_A_TURN, () -> scan.append("scan", WIDE_ENTRIES + scan.next(), wide)));
        return takeTurns(turns, rounds);
    }

    private Outcome takeTurns(Map<Arm, Turn> turns, int rounds) throws Exception {
        Map<Arm, Sample> all = new EnumMap<>(Arm.class);
        List<Round> medians = new ArrayList<>();
        Random chance = new Random(rounds);
        List<Map.Entry<Arm, Turn>> order = new ArrayList<>(turns.entrySet());
        for (Turn turn : turns.values()) {
            turn.take(new Sample()); // warm
        }
        for (int round = 1; round <= rounds; round++) {
            Collections.shuffle(order, chance); // so that nobody always comes after the same one
            Map<Arm, Double> now = new EnumMap<>(Arm.class);
            for (Map.Entry<Arm, Turn> turn : order) {
                Sample sample = turn.getValue().take(all.computeIfAbsent(turn.getKey(), arm -> new Sample()));
                now.put(turn.getKey(), sample.medianMillis());
            }
            medians.add(new Round(now));
            progress.accept("round %d of %d, medians in ms: %s".formatted(round, rounds, shown(now)));
        }
        return new Outcome(all, medians);
    }

    private static String shown(Map<Arm, Double> medians) {
        Map<Arm, Double> rounded = new EnumMap<>(Arm.class);
        medians.forEach((arm, millis) -> rounded.put(arm, Sample.rounded(millis)));
        return rounded.toString();
    }

    private List<String> addresses(int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> processes.get(number - 1).address())
                .toList();
    }

    private LedgerWriter writer(String name, List<String> nodes) throws Exception {
        SeatId seat = SeatId.of("bench", name);
        RedisSettings settings = RedisSettings.of(nodes).with(QuorumSettings.DEFAULT.withLease(LEASE));
        if (!(Founding.found(settings, seat, "", RandomGenerator.getDefault()) instanceof Founding.Outcome.Founded)) {
            throw new IllegalStateException(seat + " cannot be founded on " + nodes);
        }
        RedisAuthority authority = keep(RedisAuthority.open(settings, List.of(seat)));
        return new LedgerWriter(authority.seat(seat));
    }

    private <C extends AutoCloseable> C keep(C resource) {
        open.add(resource);
        return resource;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable resource : open.reversed()) {
            resource.close();
        }
        for (RedisProcess process : processes) {
            process.close();
        }
    }

    /** A few operations in a row. */
    private record Turn(int times, Operation operation) {

        interface Operation {
            long nanos() throws Exception;
        }

        static Turn of(int times, Operation operation) {
            return new Turn(times, operation);
        }

        Sample take(Sample all) throws Exception {
            Sample turn = new Sample();
            for (int i = 0; i < times; i++) {
                long tookNanos = operation.nanos();
                turn.add(tookNanos);
                all.add(tookNanos);
            }
            return turn;
        }
    }
}
