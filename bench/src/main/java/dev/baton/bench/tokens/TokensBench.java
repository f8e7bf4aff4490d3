package dev.baton.bench.tokens;

import dev.baton.bench.load.LoadReport;
import dev.baton.bench.load.LoadRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Starts everything, lets the arms take turns, and says what came of it. */
public final class TokensBench implements AutoCloseable {

    private static final int FEW = 64;
    private static final int MANY = 1_024;

    /** What one client process holds out at the same time, each answer awaited by itself. */
    private static final int FUTURES = 32_768;

    /** Callers that do not wait for each other take other ways through the code, which are to be warm, too. */
    private static final double WARM_PER_SECOND = 2_000;

    /** Callers of the client, which sends together those that wait: told beside, not judged. */
    private static final String CLIENT_OVER_ETCD_PUT = "clientOverEtcdPut";

    private static final String CLIENT_OVER_ETCD_PUT_1024 = "clientOverEtcdPut1024";

    private final String authority;
    private final Pace pace;
    private final Consumer<String> progress;
    private final Children children;
    private final TokenNodes nodes;
    private final Callers tokenCallers;
    private final Callers peerCallers;

    /** How long everything takes. */
    public record Pace(Duration warm, int rounds, long warmMillis, long millis, Duration soak) {

        static final Pace USUAL = new Pace(Duration.ofSeconds(210), 7, 500, 2_000, Duration.ZERO);
        static final Pace QUICK = new Pace(Duration.ofSeconds(3), 2, 100, 350, Duration.ZERO);

        public static Pace of(boolean quick, Duration soak) {
            Pace pace = quick ? QUICK : USUAL;
            return new Pace(pace.warm, pace.rounds, pace.warmMillis, pace.millis, soak);
        }
    }

    /** What was measured; {@code missed} is empty if everything was reached. */
    public record Outcome(List<String> missed, Map<String, Object> fields) {}

    public TokensBench(String authority, Pace pace, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        this.authority = authority;
        this.pace = pace;
        this.progress = progress;
        this.children = new Children(folder);
        try {
            String peersClassPath = PeerPrograms.classPath();
            progress.accept("starting nodes, peers and callers");
            nodes = TokenNodes.start(children, authority);
            int echoPort = EchoServer.startProcess(children);
            PeerServers servers = new PeerServers(children, peersClassPath);
            nodes.await();
            progress.accept("nodes and servers are ready");
            peerCallers = Callers.start(children, "peers", peersClassPath, PeerPrograms.MAIN, servers.arguments());
            List<String> arguments = new ArrayList<>(List.of("127.0.0.1:" + echoPort));
            arguments.addAll(nodes.addresses());
            tokenCallers = Callers.start(
                    children, "tokens", JavaProgram.ownClassPath(), TokenCallers.class.getName(), arguments);
            peerCallers.awaitReady();
            tokenCallers.awaitReady();
        } catch (IOException | InterruptedException | RuntimeException e) {
            children.close();
            throw e;
        }
    }

    /** One measurement: who asks what. */
    private record Turn(String name, Callers callers, LoadRequest request) {}

    public Outcome run() throws IOException, InterruptedException {
        try (Curves curves = new Curves(nodes, pace.soak().isZero() ? 2 : 10)) {
            warm();
            Rounds rounds = takeTurns(mainTurns(), pace.rounds());
            // Right after the rounds that it takes its pace from, and before heaps are collected, which stops
            // everybody.
            HalfLoads halfLoads = atHalfOf(rounds);
            Rounds others = takeTurns(otherTurns(), 1);
            curves.collectAndLook();
            LoadReport oneClient = said(
                    "one client",
                    tokenCallers.ask(closed(Arm.CLIENT, FUTURES, 2 * pace.warmMillis(), 2 * pace.millis())));
            soak(curves);
            curves.collectAndLook();
            return outcome(rounds, others, oneClient, halfLoads, curves);
        }
    }

    private List<Turn> mainTurns() {
        List<Turn> turns = new ArrayList<>();
        for (int callers : List.of(FEW, MANY)) {
            turns.add(peerTurn(Peer.ETCD_PUT, callers));
            turns.add(turn(Arm.STRICT, callers));
            turns.add(turn(Arm.CLIENT, callers));
        }
        turns.add(turn(Arm.STRICT_THOUSAND, FEW));
        turns.add(turn(Arm.LEASED, FEW));
        turns.add(turn(Arm.ECHO, FEW));
        turns.add(turn(Arm.ECHO, MANY));
        return turns;
    }

    private List<Turn> otherTurns() {
        return Peer.ALL.stream()
                .filter(peer -> !peer.name().equals(Peer.ETCD_PUT))
                .map(peer -> peerTurn(peer.name(), FEW))
                .toList();
    }

    private Turn turn(Arm arm, int callers) {
        return new Turn(arm.wireName() + callers, tokenCallers, closed(arm, callers, pace.warmMillis(), pace.millis()));
    }

    private static LoadRequest closed(Arm arm, int callers, long warmMillis, long millis) {
        return LoadRequest.closed(arm.wireName(), callers, warmMillis, millis);
    }

    private Turn peerTurn(String peer, int callers) {
        return new Turn(
                peer + callers, peerCallers, LoadRequest.closed(peer, callers, pace.warmMillis(), pace.millis()));
    }

    /**
     * Rounds that do not count: compilers and connections come first. A few are not enough: on two cores three nodes
     * keep their compilers busy for minutes, and hand out five times as many tokens once those are done; servers that run
     * for months do not pay for that. Peers are asked in the same rounds.
     */
    private void warm() throws IOException {
        long endNanos = System.nanoTime() + pace.warm().toNanos();
        do {
            for (Turn turn : mainTurns()) {
                LoadRequest request = turn.request();
                var unused =
                        turn.callers().ask(LoadRequest.closed(request.arm(), request.callers(), 0, request.millis()));
            }
            var unused = tokenCallers.ask(LoadRequest.open(Arm.STRICT.wireName(), WARM_PER_SECOND, 0, pace.millis()));
            progress.accept("warming up");
        } while (System.nanoTime() < endNanos);
        progress.accept("everybody is warm");
    }

    private Rounds takeTurns(List<Turn> turns, int times) throws IOException {
        Rounds rounds = new Rounds();
        List<Turn> order = new ArrayList<>(turns);
        Random chance = new Random(times);
        for (int round = 1; round <= times; round++) {
            Collections.shuffle(order, chance); // so that nobody always comes after the same one
            Map<String, LoadReport> reports = new LinkedHashMap<>();
            for (Turn turn : order) {
                reports.put(turn.name(), said(turn.name(), turn.callers().ask(turn.request())));
            }
            rounds.add(reports);
            progress.accept("round " + round + " of " + times + " is over");
        }
        return rounds;
    }

    /** Half of what callers got, call by call and through the client. */
    private record HalfLoads(List<HalfLoad> calls, List<HalfLoad> client) {}

    /** Requests at half of what callers got, which come whether or not others are answered; in rounds, as all else. */
    private HalfLoads atHalfOf(Rounds rounds) throws IOException, InterruptedException {
        HalfLoads halfLoads = new HalfLoads(new ArrayList<>(), new ArrayList<>());
        for (int round = 0; round < pace.rounds(); round++) {
            halfLoads.calls().add(atHalfOf(Arm.STRICT, rounds));
            halfLoads.client().add(atHalfOf(Arm.CLIENT, rounds));
        }
        return halfLoads;
    }

    /** The commits are those of the questions that count, so what comes before them is asked by itself. */
    private HalfLoad atHalfOf(Arm arm, Rounds rounds) throws IOException, InterruptedException {
        double perSecond = rounds.opsPerSecond(arm.wireName() + FEW) / 2;
        var unused = tokenCallers.ask(LoadRequest.open(arm.wireName(), perSecond, 0, pace.warmMillis()));
        CommitTimes before = nodes.commitTimes();
        LoadReport report = said(
                "half load, " + arm.wireName(),
                tokenCallers.ask(LoadRequest.open(arm.wireName(), perSecond, 0, pace.millis())));
        return new HalfLoad(report, nodes.commitTimes().since(before));
    }

    private LoadReport said(String what, LoadReport report) {
        progress.accept("%-40s %,12.0f a second, p50 %,.0f µs, p99 %,.0f µs%s"
                .formatted(
                        what,
                        report.opsPerSecond(),
                        report.p50Micros(),
                        report.p99Micros(),
                        report.failed() == 0 ? "" : ", " + report.failed() + " failed: " + report.failure()));
        return report;
    }

    private void soak(Curves curves) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + pace.soak().toNanos();
        while (System.nanoTime() < endNanos) {
            said("soak", tokenCallers.ask(closed(Arm.STRICT, MANY, 0, 30_000)));
            curves.collectAndLook();
        }
    }

    private Outcome outcome(Rounds rounds, Rounds others, LoadReport oneClient, HalfLoads halfLoads, Curves curves) {
        Map<String, Double> ratios = new LinkedHashMap<>();
        String strict = Arm.STRICT.wireName();
        String client = Arm.CLIENT.wireName();
        ratios.put(Reach.STRICT_OVER_ETCD_PUT, rounds.speedOver(strict + FEW, Peer.ETCD_PUT + FEW));
        ratios.put(Reach.STRICT_OVER_ETCD_PUT_1024, rounds.speedOver(strict + MANY, Peer.ETCD_PUT + MANY));
        ratios.put(CLIENT_OVER_ETCD_PUT, rounds.speedOver(client + FEW, Peer.ETCD_PUT + FEW));
        ratios.put(CLIENT_OVER_ETCD_PUT_1024, rounds.speedOver(client + MANY, Peer.ETCD_PUT + MANY));
        ratios.put("echoOverEtcdPut1024", rounds.speedOver(Arm.ECHO.wireName() + MANY, Peer.ETCD_PUT + MANY));
        ratios.put(Reach.LEASED_OVER_ECHO, rounds.speedOver(Arm.LEASED.wireName() + FEW, Arm.ECHO.wireName() + FEW));
        ratios.put(Reach.THOUSAND_OVER_ONE, rounds.speedOver(strict + FEW, Arm.STRICT_THOUSAND.wireName() + FEW));
        ratios.put(Reach.P99_OVER_COMMIT, HalfLoad.medianOverCommitP99(halfLoads.calls()));
        ratios.put(Reach.CLIENT_P99_OVER_COMMIT, HalfLoad.medianOverCommitP99(halfLoads.client()));
        if (!pace.soak().isZero()) {
            ratios.put(Reach.MEMORY, Rounds.rounded(curves.lastOverFirst()));
        }
        Map<String, Double> judged = new LinkedHashMap<>(ratios);
        judged.put(Reach.ONE_CLIENT, oneClient.opsPerSecond());

        Map<String, Object> fields = new LinkedHashMap<>();
        List<Turn> own = mainTurns().stream()
                .filter(turn -> turn.callers() == tokenCallers)
                .toList();
        List<String> missed = new ArrayList<>(Reach.missed(Reach.of(authority), judged));
        missed.addAll(rounds.failures(own.stream().map(Turn::name).toList()));
        Stream.concat(halfLoads.calls().stream(), halfLoads.client().stream())
                .flatMap(halfLoad -> halfLoad.failure().stream())
                .forEach(missed::add);
        fields.put("ratios", ratios);
        fields.put(Reach.ONE_CLIENT, Math.round(oneClient.opsPerSecond()));
        fields.put("peers", peers(rounds, others));
        fields.put("missed", missed);
        fields.put("reach", Reach.of(authority).stream().map(Reach::toString).toList());
        fields.put("authority", authority);
        fields.put("durability", nodes.durability());
        Map<String, Object> ours = new LinkedHashMap<>();
        own.forEach(turn -> ours.put(turn.name(), rounds.summary(turn.name())));
        fields.put("tokens", ours);
        Map<String, Object> byRound = new LinkedHashMap<>();
        byRound.put(Reach.STRICT_OVER_ETCD_PUT, rounds.speedsOver(strict + FEW, Peer.ETCD_PUT + FEW));
        byRound.put(Reach.STRICT_OVER_ETCD_PUT_1024, rounds.speedsOver(strict + MANY, Peer.ETCD_PUT + MANY));
        byRound.put(CLIENT_OVER_ETCD_PUT, rounds.speedsOver(client + FEW, Peer.ETCD_PUT + FEW));
        byRound.put(CLIENT_OVER_ETCD_PUT_1024, rounds.speedsOver(client + MANY, Peer.ETCD_PUT + MANY));
        byRound.put(Reach.LEASED_OVER_ECHO, rounds.speedsOver(Arm.LEASED.wireName() + FEW, Arm.ECHO.wireName() + FEW));
        fields.put("byRound", byRound);
        fields.put("halfLoad", halfLoads.calls().stream().map(HalfLoad::summary).toList());
        fields.put(
                "halfLoadClient",
                halfLoads.client().stream().map(HalfLoad::summary).toList());
        fields.put("curves", curves.summary());
        return new Outcome(missed, fields);
    }

    private static Map<String, Object> peers(Rounds rounds, Rounds others) {
        Map<String, Object> peers = new LinkedHashMap<>();
        for (Peer peer : Peer.ALL) {
            boolean main = peer.name().equals(Peer.ETCD_PUT);
            Map<String, Object> summary = new LinkedHashMap<>();
            (main ? rounds : others)
                    .summary(peer.name() + FEW)
                    .forEach((key, value) -> summary.put(key.equals("opsPerSecond") ? "opsPerSecond64" : key, value));
            if (main) {
                summary.put("opsPerSecond1024", Math.round(rounds.opsPerSecond(peer.name() + MANY)));
            }
            summary.put("durability", peer.durability());
            peers.put(peer.name(), summary);
        }
        return peers;
    }

    @Override
    public void close() throws InterruptedException {
        children.close();
    }
}
