package dev.baton.bench;

import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.SeatId;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.WatcherTerm;
import dev.baton.duty.mempool.redis.RedisMempool;
import dev.baton.duty.mempool.redis.RedisMempoolSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** A mempool on a Redis of its own. Arms take turns in one run, and medians are compared. */
final class MempoolBench implements AutoCloseable {

    /** What came of it: the numbers to be reached, and all others. */
    record Outcome(Map<String, Double> ratios, Map<String, Object> fields) {}

    private static final int PAYLOAD = 300;
    private static final int PIPELINE = 500;
    private static final int SMALL = 1_000;
    private static final int LARGE = 1_000_000;
    private static final int FILL_STEP = 5_000;
    private static final int IN_FLIGHT = 5_000;
    private static final WatcherTerm TERM = new WatcherTerm(SeatId.of("bench", "watcher"), new Epoch(1));

    /** Fills a pool with what nobody has submitted, much faster than anybody could. */
    private static final String FILL_PENDING = """
            for i = tonumber(ARGV[2]), tonumber(ARGV[3]) do
                local hash = redis.sha1hex(i) .. string.rep('0', 24)
                local number = redis.call('HINCRBY', KEYS[1], 'seq', 1)
                redis.call('HSET', ARGV[1] .. 'tx:' .. hash, 'r', ARGV[4])
                redis.call('ZADD', ARGV[1] .. 'pending', number, hash)
            end
            return 1
            """;

    private static final String FILL_FINALIZED = """
            for i = tonumber(ARGV[2]), tonumber(ARGV[3]) do
                local hash = redis.sha1hex(i) .. string.rep('0', 24)
                local number = redis.call('HINCRBY', KEYS[1], 'seq', 1)
                redis.call('ZADD', ARGV[1] .. 'finalized', number, hash)
                redis.call('HSET', ARGV[1] .. 'final', hash, ARGV[4])
            end
            return 1
            """;

    private final RedisProcess redis;
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> line;
    private final boolean quick;
    private final Consumer<String> progress;
    private final Random random = new Random(7);
    private final Map<String, Double> ratios = new LinkedHashMap<>();
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private long made;

    MempoolBench(Path folder, boolean quick, Consumer<String> progress) throws IOException, InterruptedException {
        this.redis = RedisProcess.start(folder.resolve("redis"), "everysec");
        this.client = RedisClient.create("redis://" + redis.address());
        this.line = client.connect(ByteArrayCodec.INSTANCE);
        this.quick = quick;
        this.progress = progress;
    }

    Outcome run() throws InterruptedException, ExecutionException {
        fields.put("payloadBytes", PAYLOAD);
        fields.put("pipeline", PIPELINE);
        receive();
        confirm();
        flat();
        return new Outcome(ratios, fields);
    }

    private Mempool pool(String prefix, MempoolLimits limits) {
        return RedisMempool.open(
                RedisMempoolSettings.at("redis://" + redis.address())
                        .withPrefix(prefix)
                        .withConnections(1)
                        .withTimeout(Duration.ofSeconds(30)),
                limits);
    }

    private Transaction transaction() {
        byte[] payload = new byte[PAYLOAD];
        random.nextBytes(payload);
        Bytes bytes = Bytes.wrap(payload);
        made++;
        return new Transaction(Hash.sha256(bytes), bytes);
    }

    private List<Transaction> transactions(int count) {
        List<Transaction> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(transaction());
        }
        return all;
    }

    private void receive() throws InterruptedException, ExecutionException {
        int rounds = quick ? 7 : 15;
        int each = quick ? 10_000 : 20_000;
        List<Double> bare = new ArrayList<>();
        List<Double> received = new ArrayList<>();
        try (Mempool pool = pool("receive", MempoolLimits.DEFAULT)) {
            for (int round = -2; round < rounds; round++) {
                List<Transaction> forBare = transactions(each);
                List<Transaction> forPool = transactions(each);
                double bareRate = bareRate(forBare);
                double poolRate = poolRate(pool, forPool);
                if (round >= 0) { // the first ones only warm up
                    bare.add(bareRate);
                    received.add(poolRate);
                }
                progress.accept(
                        "round " + round + ": bare " + (long) bareRate + "/s, receive " + (long) poolRate + "/s");
            }
        }
        List<Double> byRound = new ArrayList<>();
        for (int i = 0; i < bare.size(); i++) {
            byRound.add(received.get(i) / bare.get(i));
        }
        ratios.put("receiveOverBare", median(byRound));
        fields.put("barePerSecond", median(bare));
        fields.put("receivePerSecond", median(received));
        fields.put("receiveOverBareByRound", byRound);
    }

    private double bareRate(List<Transaction> all) throws InterruptedException, ExecutionException {
        long begun = System.nanoTime();
        for (int from = 0; from < all.size(); from += PIPELINE) {
            List<AsyncCommand<byte[], byte[], Long>> sent = new ArrayList<>();
            for (Transaction each : all.subList(from, from + PIPELINE)) {
                byte[] hash = bytes(each.hash().toString());
                sent.add(command(
                        CommandType.HSET,
                        "{bare}:tx:" + each.hash(),
                        bytes("r"),
                        each.payload().toArray()));
                sent.add(command(CommandType.ZADD, "{bare}:pending", bytes(Long.toString(made)), hash));
            }
            line.dispatch(sent);
            for (AsyncCommand<byte[], byte[], Long> each : sent) {
                each.get();
            }
        }
        return perSecond(all.size(), begun);
    }

    private static AsyncCommand<byte[], byte[], Long> command(CommandType type, String key, byte[] one, byte[] two) {
        return new AsyncCommand<>(new Command<>(
                type,
                new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE)
                        .addKey(bytes(key))
                        .addValue(one)
                        .addValue(two)));
    }

    private static double poolRate(Mempool pool, List<Transaction> all) {
        long begun = System.nanoTime();
        for (int from = 0; from < all.size(); from += PIPELINE) {
            for (Received received : pool.receiveAll(all.subList(from, from + PIPELINE))) {
                if (!(received instanceof Received.Accepted)) {
                    throw new IllegalStateException("receive: " + received + " (expected: accepted)");
                }
            }
        }
        return perSecond(all.size(), begun);
    }

    private static double perSecond(int count, long begunNanos) {
        return count * 1e9 / (System.nanoTime() - begunNanos);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A block that carries all that is in flight, and the one by which they become final. */
    private void confirm() {
        int rounds = quick ? 5 : 11;
        List<Double> seen = new ArrayList<>();
        List<Double> finalized = new ArrayList<>();
        List<Double> longest = new ArrayList<>();
        int slices = 0;
        for (int round = 0; round < rounds; round++) {
            try (Mempool pool = pool("confirm-" + round, MempoolLimits.DEFAULT.withThresholds(2, 2))) {
                List<Transaction> all = transactions(IN_FLIGHT);
                List<Hash> hashes = all.stream().map(Transaction::hash).toList();
                pool.receiveAll(all);
                for (int from = 0; from < IN_FLIGHT; from += 1000) {
                    pool.markInflight("bench", Duration.ofHours(1), hashes.subList(from, from + 1000));
                }
                Point first = new Point(1, Hash.sha256(Bytes.utf8("1")));
                Point second = new Point(2, Hash.sha256(Bytes.utf8("2")));
                Slices carried = slices(pool, new ChainBlock(first, Point.ORIGIN, hashes));
                Slices ended = slices(pool, new ChainBlock(second, first, List.of()));
                seen.add(carried.totalMillis());
                finalized.add(ended.totalMillis());
                longest.add(Math.max(carried.longestMillis(), ended.longestMillis()));
                slices = carried.count();
            }
        }
        progress.accept("confirm over " + IN_FLIGHT + ": " + median(seen) + " ms, finalizing them " + median(finalized)
                + " ms, longest slice by round " + longest + " ms");
        ratios.put("confirmServerMillis", Math.max(median(seen), median(finalized)));
        ratios.put("longestSliceMillis", median(longest));
        fields.put("longestSliceMillisByRound", longest);
        fields.put("confirmSeenServerMillis", median(seen));
        fields.put("confirmFinalizeServerMillis", median(finalized));
        fields.put("confirmSlices", slices);
    }

    private record Slices(int count, double totalMillis, double longestMillis) {}

    /** The server's own count of what scripts cost, slice by slice. */
    private Slices slices(Mempool pool, ChainBlock block) {
        int count = 0;
        double total = 0;
        double longest = 0;
        Confirmation answer;
        do {
            long before = scriptMicros();
            answer = count == 0 ? pool.begin(TERM, block) : pool.advance(TERM);
            double took = (scriptMicros() - before) / 1000.0;
            count++;
            total += took;
            longest = Math.max(longest, took);
        } while (answer instanceof Confirmation.Applying);
        if (!(answer instanceof Confirmation.Applied)) {
            throw new IllegalStateException("confirm: " + answer + " (expected: applied)");
        }
        return new Slices(count, total, longest);
    }

    private long scriptMicros() {
        long micros = 0;
        for (String stat : line.sync().info("commandstats").split("\r\n", -1)) {
            if (stat.startsWith("cmdstat_eval")) {
                int at = stat.indexOf("usec=") + 5;
                micros += Long.parseLong(stat.substring(at, stat.indexOf(',', at)));
            }
        }
        return micros;
    }

    private void flat() {
        MempoolLimits limits = MempoolLimits.DEFAULT;
        String record = new String(new byte[PAYLOAD], StandardCharsets.US_ASCII).replace('\0', 'x');
        String ended = "F 6 1." + Hash.ZERO + " 6." + Hash.ZERO;
        fill("small", FILL_PENDING, SMALL, record);
        fill("small", FILL_FINALIZED, SMALL, ended);
        fill("large", FILL_PENDING, LARGE, record);
        try (Mempool small = pool("small", limits);
                Mempool large = pool("large", limits)) {
            int calls = quick ? 3_000 : 10_000;
            ratios.put(
                    "statusFlatPending",
                    ratio(
                            "statusPending",
                            calls,
                            n -> small.checkStatus(known(n, SMALL)),
                            n -> large.checkStatus(known(n, LARGE))));
            int marks = quick ? 900 : 990;
            ratios.put("markInflightFlat", ratio("markInflight", marks, n -> mark(small, n), n -> mark(large, n)));
        }
        fill("ended", FILL_FINALIZED, LARGE, ended);
        try (Mempool small = pool("small", limits);
                Mempool large = pool("ended", limits)) {
            int calls = quick ? 3_000 : 10_000;
            ratios.put(
                    "statusFlatFinalized",
                    ratio(
                            "statusFinalized",
                            calls,
                            n -> small.checkStatus(known(SMALL - n % 9, SMALL)),
                            n -> large.checkStatus(known(n, LARGE))));
        }
    }

    /** The first nine hundred are marked one after the other: each is pending exactly once. */
    private static void mark(Mempool pool, int number) {
        pool.markInflight("bench", Duration.ofHours(1), List.of(filled(number)));
    }

    private Hash known(int number, int among) {
        return filled(1 + (int) ((number * 7919L) % among));
    }

    private static Hash filled(int number) {
        return Hash.parse(sha1(Integer.toString(number)) + "0".repeat(24));
    }

    private static String sha1(String text) {
        try {
            byte[] digest = java.security.MessageDigest.getInstance("SHA-1").digest(bytes(text));
            return java.util.HexFormat.of().formatHex(digest);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    private void fill(String prefix, String script, int count, String value) {
        progress.accept("filling " + prefix + " with " + count);
        String keys = "{" + prefix + "}:";
        for (int from = 1; from <= count; from += FILL_STEP) {
            line.sync()
                    .eval(
                            bytes(script),
                            ScriptOutputType.INTEGER,
                            new byte[][] {bytes(keys + "state")},
                            bytes(keys),
                            bytes(Integer.toString(from)),
                            bytes(Integer.toString(Math.min(count, from + FILL_STEP - 1))),
                            bytes(value));
        }
    }

    private interface Operation {
        void run(int number);
    }

    /** Both take turns, call by call; the ratio of their medians. */
    private double ratio(String name, int calls, Operation small, Operation large) {
        double[] little = new double[calls];
        double[] much = new double[calls];
        for (int i = 0; i < calls; i++) {
            little[i] = micros(small, i + 1);
            much[i] = micros(large, i + 1);
        }
        Arrays.sort(little);
        Arrays.sort(much);
        double ratio = much[calls / 2] / little[calls / 2];
        progress.accept(name + ": " + little[calls / 2] + " us among few, " + much[calls / 2] + " us among many");
        fields.put(name + "Micros", Map.of("few", little[calls / 2], "many", much[calls / 2]));
        return ratio;
    }

    private static double micros(Operation operation, int number) {
        long begun = System.nanoTime();
        operation.run(number);
        return (System.nanoTime() - begun) / 1000.0;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    @Override
    public void close() throws InterruptedException {
        line.close();
        client.shutdown();
        redis.close();
    }
}
