package dev.baton.bench;

import dev.baton.authority.raft.RaftAuthority;
import dev.baton.authority.raft.RaftSettings;
import dev.baton.core.Bytes;
import dev.baton.core.ClusterId;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What an append costs on embedded Raft, at a low height and at a great one.
 *
 * <p>Three members in one process, synced to disk. Two seats on the same leader, one with a short ledger and one with
 * a long one, take turns with the floor: a command that goes through the same log and changes nothing.
 */
final class RaftLedgerBench implements AutoCloseable {

    private static final int KEPT = 10_000;
    private static final int APPENDS_A_TURN = 40;
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final List<RaftAuthority> members = new ArrayList<>();
    private final Consumer<String> progress;

    RaftLedgerBench(Path folder, Consumer<String> progress) throws IOException {
        this.progress = progress;
        Map<NodeId, String> peers = new LinkedHashMap<>();
        for (int i = 1; i <= 3; i++) {
            peers.put(new NodeId("n" + i), "127.0.0.1:" + freePort());
        }
        for (NodeId node : peers.keySet()) {
            members.add(RaftAuthority.start(
                    RaftSettings.of(new ClusterId("bench"), node, peers, folder.resolve(node.value()), LEASE)));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Medians of each arm in one round, in milliseconds. */
    record Round(double shortLedger, double longLedger, double floor) {}

    record Outcome(Sample shortLedger, Sample longLedger, Sample floor, List<Round> rounds) {

        double flat() {
            return median(rounds.stream().map(round -> round.longLedger() / round.shortLedger()));
        }

        double overFloor() {
            return median(rounds.stream().map(round -> round.shortLedger() / round.floor()));
        }

        private static double median(Stream<Double> values) {
            List<Double> sorted = values.sorted().toList();
            return Sample.rounded(sorted.get(sorted.size() / 2));
        }

        List<Double> flatByRound() {
            return rounds.stream()
                    .map(round -> Sample.rounded(round.longLedger() / round.shortLedger()))
                    .toList();
        }
    }

    Outcome run(long shortHeight, long longHeight, int rounds, int payloadBytes) {
        Bytes payload = Bytes.wrap(new byte[payloadBytes]);
        RaftAuthority leader = leader();
        LedgerWriter low = writer(leader, "low");
        LedgerWriter high = writer(leader, "high");
        low.fill(shortHeight, payload, progress);
        while (high.height() < longHeight) { // as a node does: the ledger keeps its last entries
            high.fill(Math.min(longHeight, high.height() + KEPT), payload, progress);
            high.trimBelow(new Height(Math.max(1, high.height() - KEPT)));
        }
        turn(low, payload, new Sample());
        turn(high, payload, new Sample());
        Outcome outcome = new Outcome(new Sample(), new Sample(), new Sample(), new ArrayList<>());
        for (int round = 1; round <= rounds; round++) {
            Sample shorts = turn(low, payload, outcome.shortLedger());
            Sample longs = turn(high, payload, outcome.longLedger());
            Sample floors = floorTurn(low, outcome.floor());
            outcome.rounds().add(new Round(shorts.medianMillis(), longs.medianMillis(), floors.medianMillis()));
            progress.accept("round %d of %d: %.3f ms at height %d, %.3f ms at height %d, floor %.3f ms"
                    .formatted(
                            round,
                            rounds,
                            shorts.medianMillis(),
                            low.height(),
                            longs.medianMillis(),
                            high.height(),
                            floors.medianMillis()));
        }
        return outcome;
    }

    private static Sample turn(LedgerWriter writer, Bytes payload, Sample all) {
        Sample turn = new Sample();
        for (int i = 0; i < APPENDS_A_TURN; i++) {
            long tookNanos = writer.append(payload);
            turn.add(tookNanos);
            all.add(tookNanos);
        }
        return turn;
    }

    private static Sample floorTurn(LedgerWriter writer, Sample all) {
        Sample turn = new Sample();
        for (int i = 0; i < APPENDS_A_TURN; i++) {
            long beganNanos = System.nanoTime();
            writer.trimBelow(Height.FIRST); // goes through the same log and changes nothing
            long tookNanos = System.nanoTime() - beganNanos;
            turn.add(tookNanos);
            all.add(tookNanos);
        }
        return turn;
    }

    private static LedgerWriter writer(RaftAuthority leader, String name) {
        return new LedgerWriter(leader.seat(SeatId.of("bench", name)), leader.node());
    }

    private RaftAuthority leader() {
        while (true) {
            for (RaftAuthority member : members) {
                if (member.leads()) {
                    return member;
                }
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        members.forEach(RaftAuthority::close);
    }
}
