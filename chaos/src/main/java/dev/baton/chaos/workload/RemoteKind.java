package dev.baton.chaos.workload;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.CompanionFacts;
import dev.baton.chaos.cluster.NodeFacts;
import dev.baton.chaos.cluster.SeatYaml;
import dev.baton.chaos.history.Held;
import dev.baton.control.seal.ClusterKey;
import dev.baton.core.Entry;
import dev.baton.core.Hash;
import dev.baton.wire.remote.v1.HeadRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A sequencer process beside each node: clients follow its chain as far as that is in the ledger, and a prober at each
 * finds out whether it makes blocks. Above the last record blocks may be lost, and nobody here relies on them.
 */
final class RemoteKind implements DutyKind {

    private static final String SEQUENCER = "sequencer";
    private static final String KEY = "cluster.key";
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration BLOCK_INTERVAL = Duration.ofMillis(200);
    private static final int CLIENTS = 3;

    @Override
    public String name() {
        return "remote";
    }

    @Override
    public String seat() {
        return SequencerKind.SEAT;
    }

    @Override
    public Duration lease() {
        return LEASE;
    }

    /** The ledger has heads of sequencers: each is held against the block of that number. */
    @Override
    public Optional<Held> held(Entry entry) {
        try {
            HeadRecord record = HeadRecord.parseFrom(entry.payload().asBuffer());
            // Before the first block there is nothing that a store could hold.
            return Optional.of(record)
                    .filter(head -> head.getNumber() > 0)
                    .map(head -> new Held(
                            head.getNumber(),
                            Hash.of(head.getHash().toByteArray()).toString(),
                            "",
                            entry.author().value(),
                            "",
                            0,
                            List.of()));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("entry " + entry.height() + " (expected: a head of a sequencer)", e);
        }
    }

    /** The ledger grows with each pulse; readers count blocks. */
    @Override
    public String heightField() {
        return "safeHeight";
    }

    @Override
    public String seats(NodeFacts node) {
        // Time to ask a sequencer to stop, and whether it did, is part of the delay.
        return SeatYaml.seat(seat(), name(), LEASE)
                .append("      stop: 1s\n    remote:\n      key: ../")
                .append(KEY)
                .append("\n      address: ")
                .append(node.resources().getOrDefault(SEQUENCER, ""))
                .append('\n')
                .toString();
    }

    @Override
    public void furnish(Path all, Path node) throws IOException {
        ClusterKey.createIfAbsent(all.resolve(KEY));
    }

    @Override
    public Optional<String> companion() {
        return Optional.of(SEQUENCER);
    }

    @Override
    public List<String> program(CompanionFacts facts) {
        return List.of(
                SequencerMain.class.getName(),
                facts.all().resolve(KEY).toString(),
                facts.listen(),
                String.join(",", facts.others()),
                Long.toString(BLOCK_INTERVAL.toMillis()),
                facts.data().toString());
    }

    @Override
    public List<Client> clients(Scene scene, long seed) {
        List<Client> clients = new ArrayList<>();
        for (int i = 1; i <= CLIENTS; i++) {
            clients.add(new Follower("c" + i, seed, scene));
        }
        scene.cluster().nodes().forEach(node -> clients.add(new MakerProber(node, seed, scene)));
        return clients;
    }

    @Override
    public List<Runnable> onlookers(Scene scene, String node) {
        return List.of(() -> new RecordedReader(scene, node).follow());
    }

    /** Every sequencer has the last block in the ledger. */
    @Override
    public boolean isSettled(Cluster cluster) throws IOException {
        try (Sequencers sequencers = new Sequencers()) {
            long recorded = sequencers.recordedAnywhere(cluster);
            Set<Optional<String>> hashes = new HashSet<>();
            for (String node : cluster.nodes()) {
                hashes.add(sequencers.block(cluster.dutyBehind(node), recorded).map(Held::hash));
            }
            return hashes.size() == 1 && !hashes.contains(Optional.empty());
        }
    }

    @Override
    public void takeStock(Scene scene, String node) throws IOException {
        new RecordedReader(scene, node).takeStore();
    }
}
