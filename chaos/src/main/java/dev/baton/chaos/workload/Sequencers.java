package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.history.Held;
import dev.baton.core.Hash;
import dev.baton.duty.remote.peer.PeerBlock;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import dev.baton.wire.remote.v1.Block;
import dev.baton.wire.remote.v1.BlockServiceGrpc;
import dev.baton.wire.remote.v1.BlocksRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Connections to the sequencers beside the nodes, one for each, kept while they are good. For one thread. */
final class Sequencers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int PAGE = 500;

    private final Map<String, ManagedChannel> open = new HashMap<>();

    /** One that failed is not used again: it may carry nothing any more. */
    private <T> T at(String address, Function<ManagedChannel, T> question) throws IOException {
        try {
            return question.apply(open.computeIfAbsent(
                    address,
                    to -> Grpc.newChannelBuilder(to, InsecureChannelCredentials.create())
                            .build()));
        } catch (StatusRuntimeException | IllegalArgumentException e) {
            ManagedChannel broken = open.remove(address);
            if (broken != null) {
                broken.shutdownNow();
            }
            throw new IOException("the sequencer at " + address + ": " + e.getMessage(), e);
        }
    }

    StatusResponse status(String address) throws IOException {
        return at(
                address,
                channel -> ControlServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PATIENCE)
                        .status(StatusRequest.getDefaultInstance()));
    }

    /** The last block of this sequencer of which it was told that it is in the ledger; 0 if none. */
    long recorded(String address) throws IOException {
        return at(
                address,
                channel -> ControlServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PATIENCE)
                        .health(HealthRequest.getDefaultInstance())
                        .getSafeNumber());
    }

    /** The last block in the ledger, as far as any sequencer knows that answers. */
    long recordedAnywhere(Cluster cluster) {
        long highest = 0;
        for (String node : cluster.nodes()) {
            try {
                highest = Math.max(highest, recorded(cluster.dutyBehind(node)));
            } catch (IOException e) {
                // Whoever reads its blocks will say so.
            }
        }
        return highest;
    }

    /** The blocks from a number on, as many as come at once. */
    List<Held> from(String address, long number) throws IOException {
        return at(address, channel -> {
            List<Held> blocks = new ArrayList<>();
            for (Block each : BlockServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(PATIENCE)
                    .blocks(BlocksRequest.newBuilder()
                            .setFromNumber(number)
                            .setLimit(PAGE)
                            .build())
                    .getBlocksList()) {
                blocks.add(held(each));
            }
            return blocks;
        });
    }

    Optional<Held> block(String address, long number) throws IOException {
        return from(address, number).stream()
                .filter(each -> each.height() == number)
                .findFirst();
    }

    /** Blocks are empty, and do not tell who made them. */
    private static Held held(Block block) {
        return new Held(
                block.getNumber(),
                PeerBlock.of(block).hash().toString(),
                Hash.of(block.getParent().toByteArray()).toString(),
                block.getEpoch(),
                "",
                0,
                List.of());
    }

    @Override
    public void close() {
        open.values().forEach(ManagedChannel::shutdownNow);
        open.clear();
    }
}
