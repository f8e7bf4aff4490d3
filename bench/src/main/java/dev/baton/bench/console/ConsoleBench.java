package dev.baton.bench.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.bench.LiveCluster;
import dev.baton.bench.ProcessMemory;
import dev.baton.bench.tokens.Children;
import dev.baton.bench.tokens.CommitTimes;
import dev.baton.seat.LedgerLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A leader with a hundred readers and without any, in turn; and then, if wished, for long. */
public final class ConsoleBench {

    /** What came of it: the numbers to be reached, and all others. */
    public record Outcome(Map<String, Double> reached, Map<String, Object> fields) {}

    private static final int READERS = 100;

    /** Short, so that whatever the machine does beside hits both sides alike. */
    private static final int COMMITS_A_ROUND = 256;

    private static final long LOOK_AGAIN_MILLIS = 500;
    private static final Duration SAMPLE = Duration.ofSeconds(10);
    private static final int SAMPLES_A_COLLECTION = 6;

    /** Entries, more than a ledger keeps before it is trimmed. */
    private static final int FULL = LedgerLimits.DEFAULT.entries() * 5 / 4;

    private final Consumer<String> progress;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, Double> reached = new LinkedHashMap<>();
    private final Map<String, Object> fields = new LinkedHashMap<>();

    public ConsoleBench(Consumer<String> progress) {
        this.progress = progress;
    }

    private static int port(LiveCluster cluster, String node) {
        Integer port = cluster.httpPorts().get(node);
        if (port == null) {
            throw new IllegalStateException(node + " is no node of this cluster");
        }
        return port;
    }

    private CommitTimes commitTimes(int port) throws IOException, InterruptedException {
        HttpRequest metrics = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        return CommitTimes.read(
                http.send(metrics, HttpResponse.BodyHandlers.ofString()).body(), "blocks");
    }

    /** What the leader's metrics say of a round's commits. */
    private CommitTimes during(int port) throws IOException, InterruptedException {
        CommitTimes before = commitTimes(port);
        CommitTimes now = before;
        while (now.since(before).count() < COMMITS_A_ROUND) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            now = commitTimes(port);
        }
        return now.since(before);
    }

    private CommitTimes whileReading(int port, List<Double> lags) throws IOException, InterruptedException {
        try (Readers readers = Readers.open(port, READERS)) {
            CommitTimes times = during(port);
            lags.addAll(readers.lags());
            return times;
        }
    }

    /**
     * Rounds with and without readers, interleaved; the order changes from round to round. The commits of all rounds
     * are judged together: the p99 of a single round is its third worst, which says more of the machine than of the readers.
     */
    public void compare(LiveCluster cluster, int warmRounds, int rounds) throws IOException, InterruptedException {
        int port = port(cluster, cluster.awaitCalm());
        for (int round = 0; round < warmRounds; round++) {
            during(port);
            whileReading(port, new ArrayList<>());
            progress.accept("warming up");
        }
        List<CommitTimes> without = new ArrayList<>();
        List<CommitTimes> with = new ArrayList<>();
        List<Double> lags = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            if (round % 2 == 0) {
                without.add(during(port));
                with.add(whileReading(port, lags));
            } else {
                with.add(whileReading(port, lags));
                without.add(during(port));
            }
            progress.accept("round %d: p99 %.2f ms without readers, %.2f ms with %d"
                    .formatted(round, millisAt(0.99, without.getLast()), millisAt(0.99, with.getLast()), READERS));
        }
        lags.sort(null);
        CommitTimes allWithout = together(without);
        CommitTimes allWith = together(with);
        reached.put("p99WithOverWithout", allWith.microsAt(0.99) / allWithout.microsAt(0.99));
        reached.put("updateLagP99Millis", at(lags, 0.99));
        fields.put("readers", READERS);
        fields.put("p50MillisWithout", millisAt(0.5, allWithout));
        fields.put("p50MillisWith", millisAt(0.5, allWith));
        fields.put("p99MillisWithout", millisAt(0.99, allWithout));
        fields.put("p99MillisWith", millisAt(0.99, allWith));
        fields.put("p99MillisWithoutByRound", eachMillisAt(0.99, without));
        fields.put("p99MillisWithByRound", eachMillisAt(0.99, with));
        fields.put("commitsCounted", allWithout.count() + allWith.count());
        fields.put("updateLagMedianMillis", at(lags, 0.5));
        fields.put("updateLagWorstMillis", at(lags, 1));
    }

    private static CommitTimes together(List<CommitTimes> rounds) {
        return rounds.stream().reduce(CommitTimes.NONE, CommitTimes::plus);
    }

    private static double millisAt(double share, CommitTimes times) {
        return times.microsAt(share) / 1000;
    }

    private static List<Double> eachMillisAt(double share, List<CommitTimes> rounds) {
        return rounds.stream().map(times -> millisAt(share, times)).toList();
    }

    /**
     * Waits until the ledger is as long as it may become. What it keeps is a part of the leader's memory, and grows until
     * then, as it is meant to.
     */
    public void fill(LiveCluster cluster) throws IOException, InterruptedException {
        int port = port(cluster, cluster.awaitCalm());
        for (long height = height(port); height < FULL; height = height(port)) {
            progress.accept("filling the ledger: " + height + " of " + FULL + " entries");
            TimeUnit.NANOSECONDS.sleep(SAMPLE.toNanos());
        }
    }

    private long height(int port) throws IOException, InterruptedException {
        HttpRequest status = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/status"))
                .build();
        return new ObjectMapper()
                .readTree(
                        http.send(status, HttpResponse.BodyHandlers.ofString()).body())
                .path("seats")
                .path(0)
                .path("height")
                .asLong();
    }

    /**
     * Whether the leader and a page in a browser keep what they had after the first quarter, until the end. Of the leader,
     * what a collection leaves on its heap counts: what it has from the operating system it keeps, needed or not.
     */
    public void soak(LiveCluster cluster, Duration time, Path folder) throws IOException, InterruptedException {
        String leader = cluster.awaitCalm();
        long pid = cluster.processes().getOrDefault(leader, 0L);
        List<Double> resident = new ArrayList<>();
        List<Double> page = new ArrayList<>();
        List<Double> heaps = new ArrayList<>();
        try (Children children = new Children(folder);
                HeadlessPage shown =
                        HeadlessPage.open(children, "http://127.0.0.1:" + port(cluster, leader) + "/console/");
                Readers readers = Readers.open(port(cluster, leader), READERS)) {
            long endNanos = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < endNanos) {
                TimeUnit.NANOSECONDS.sleep(SAMPLE.toNanos());
                resident.add(ProcessMemory.residentMegabytes(pid));
                page.add(shown.heapMegabytes());
                if (resident.size() % SAMPLES_A_COLLECTION == 0) {
                    heaps.add(ProcessMemory.heapMegabytesAfterCollection(pid));
                }
                progress.accept("leader " + resident.getLast() + " MB, its heap after a collection " + last(heaps)
                        + " MB, page " + page.getLast() + " MB in " + shown.elements() + " elements");
            }
            fields.put("readBytes", readers.bytes());
        }
        reached.put("leaderMemoryLastOverFirst", quarter(heaps, 3) / quarter(heaps, 1));
        reached.put("pageMemoryLastOverFirst", quarter(page, 3) / quarter(page, 1));
        fields.put("soakSeconds", time.toSeconds());
        fields.put("leaderHeapMegabytes", heaps);
        fields.put("leaderResidentMegabytes", resident);
        fields.put("pageMegabytes", page);
    }

    private static double last(List<Double> samples) {
        return samples.isEmpty() ? Double.NaN : samples.getLast();
    }

    public Outcome outcome() {
        return new Outcome(reached, fields);
    }

    /** The median of a quarter of the samples, 0 being the first: a warm process is compared, so begin with 1. */
    static double quarter(List<Double> samples, int which) {
        int size = samples.size();
        List<Double> part = samples.subList(which * size / 4, (which + 1) * size / 4);
        return at(part.stream().sorted().toList(), 0.5);
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.isEmpty()
                ? Double.NaN
                : sorted.get((int) Math.min(sorted.size() - 1L, (long) (share * sorted.size())));
    }
}
