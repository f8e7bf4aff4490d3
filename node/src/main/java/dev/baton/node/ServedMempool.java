package dev.baton.node;

import dev.baton.core.SeatId;
import dev.baton.duty.Duty;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.TimedMempool;
import dev.baton.duty.mempool.UnavailableException;
import dev.baton.duty.mempool.redis.RedisMempool;
import dev.baton.duty.mempool.redis.RedisRefusedException;
import dev.baton.duty.mempool.rpc.MempoolEndpoint;
import dev.baton.duty.mempool.watch.BlockFeed;
import dev.baton.duty.mempool.watch.FileFeed;
import dev.baton.duty.mempool.watch.MempoolDuty;
import dev.baton.duty.mempool.watch.Propagator;
import dev.baton.duty.sequencer.Submitted;
import dev.baton.duty.sequencer.Submitter;
import dev.baton.node.config.MempoolConfig;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.metrics.MempoolMetrics;
import dev.baton.node.metrics.NodeMetrics;
import io.grpc.BindableService;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mempool as a node serves it: any node receives and answers; the one that holds the seat watches the chain.
 *
 * <p>Without a chain of its own it follows this node's sequencer, and brings it what is pending.
 */
final class ServedMempool implements ServedDuty {

    private final SeatId id;
    private final SeatConfig seat;
    private final NodeConfig config;
    private final Mempool pool;
    private final MempoolEndpoint endpoint;
    private final MempoolMetrics.Sink timings = new MempoolMetrics.Sink();
    private @Nullable MempoolDuty duty;
    private @Nullable Propagator propagator;
    private @Nullable MempoolMetrics metrics;

    private ServedMempool(SeatId id, SeatConfig seat, NodeConfig config, Mempool opened) {
        this.id = id;
        this.seat = seat;
        this.config = config;
        this.pool = new TimedMempool(opened, timings);
        this.endpoint = new MempoolEndpoint(pool);
    }

    static ServedMempool open(SeatId id, SeatConfig seat, NodeConfig config) throws NodeFailure {
        MempoolConfig settings = seat.mempool();
        try {
            return new ServedMempool(id, seat, config, RedisMempool.open(settings.redis(), settings.limits()));
        } catch (RedisRefusedException | UnavailableException e) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION, "seats: " + seat.name() + ": mempool.url: " + e.getMessage(), e);
        }
    }

    @Override
    public void meet(List<ServedDuty> others) throws NodeFailure {
        MempoolConfig settings = seat.mempool();
        Optional<ServedDuty> sequencer =
                others.stream().filter(other -> other.chain().isPresent()).findFirst();
        BlockFeed feed = settings.chainFile()
                .<BlockFeed>map(FileFeed::new)
                .or(() -> sequencer.flatMap(ServedDuty::chain).map(SequencerFeed::new))
                .orElseThrow(() -> new NodeFailure(
                        ExitCode.CONFIGURATION,
                        "seats: " + seat.name()
                                + ": mempool.chain-file: missing (expected: a file with the chain, or a seat with the"
                                + " duty sequencer on this node)"));
        duty = new MempoolDuty(id, pool, feed);
        Optional<Submitter> submitter = sequencer.flatMap(ServedDuty::submitter);
        if (settings.propagate() && settings.chainFile().isEmpty() && submitter.isPresent()) {
            propagator = Propagator.start(
                    pool,
                    (hash, payload) -> submitter.get().submit(payload).thenApply(Submitted.Accepted.class::isInstance),
                    config.node().value(),
                    settings.claimLease());
        }
    }

    @Override
    public void listen(NodeMetrics registry) {
        metrics = registry.addMempool(seat.name().value(), pool, timings);
    }

    @Override
    public String kind() {
        return SeatConfig.MEMPOOL;
    }

    @Override
    public Duty duty() {
        MempoolDuty made = duty;
        if (made == null) {
            throw new IllegalStateException("seat " + seat.name() + ": its duties have not met yet");
        }
        return made;
    }

    @Override
    public List<BindableService> services() {
        return List.of(endpoint);
    }

    @Override
    public Optional<Mempool> mempool() {
        return Optional.of(pool);
    }

    @Override
    public void serving(boolean ready, boolean leads) {
        MempoolMetrics measured = metrics;
        if (measured != null) {
            measured.refresh(leads);
        }
    }

    @Override
    public void close() {
        endpoint.close();
        Propagator running = propagator;
        if (running != null) {
            running.close();
        }
        pool.close();
    }
}
