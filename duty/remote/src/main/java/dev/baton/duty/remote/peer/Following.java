package dev.baton.duty.remote.peer;

import dev.baton.duty.remote.BlockRef;
import dev.baton.wire.remote.v1.Block;
import dev.baton.wire.remote.v1.BlockServiceGrpc;
import dev.baton.wire.remote.v1.BlocksRequest;
import dev.baton.wire.remote.v1.BlocksResponse;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the blocks of other sequencers here while this one makes none.
 *
 * <p>Of two chains the one whose last block is of the higher term wins, then the longer one. What this one has beyond
 * the place where they part is dropped, but never what a lease said is in the ledger.
 */
final class Following implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Following.class);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);
    private static final int AT_ONCE = 256;

    private record Peer(String address, ManagedChannel channel) {}

    private final PeerStore store;
    private final Production production;
    private final Duration interval;
    private final List<Peer> peers = new ArrayList<>();
    private final AtomicInteger reached = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile String problem = "";

    Following(
            PeerStore store,
            Production production,
            List<String> addresses,
            ChannelCredentials credentials,
            Duration interval) {
        this.store = store;
        this.production = production;
        this.interval = interval;
        addresses.forEach(address -> peers.add(
                new Peer(address, Grpc.newChannelBuilder(address, credentials).build())));
        this.thread = Thread.ofVirtual().name("following").unstarted(this::run);
        thread.start();
    }

    /** How many of the others answered in the last round. */
    int reached() {
        return reached.get();
    }

    /** Why another's chain was not taken over; empty if nothing was wrong. */
    String problem() {
        return problem;
    }

    private void run() {
        try {
            do {
                int answered = 0;
                String found = "";
                for (Peer peer : peers) {
                    try {
                        found = follow(peer).orElse(found);
                        answered++;
                    } catch (StatusRuntimeException e) {
                        // It may be back before gRPC thinks so, and its connection may carry nothing any more.
                        peer.channel().enterIdle();
                    } catch (IllegalArgumentException e) {
                        found = peer.address() + " sends what is no chain: " + e.getMessage();
                    }
                }
                reached.set(answered);
                tell(found);
            } while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void tell(String found) {
        if (!found.isEmpty() && !found.equals(problem)) {
            LOG.warn("not following: {}", found);
        }
        problem = found;
    }

    /** Takes over what a better chain has; answers why it cannot. */
    private Optional<String> follow(Peer peer) {
        long from = store.head().number() + 1;
        BlocksResponse answer = ask(peer, from, AT_ONCE);
        if (production.isActive() || !isBetter(answer)) {
            return Optional.empty();
        }
        long floor = production.safeNumber();
        long parting = Math.min(answer.getHead().getNumber(), from - 1); // both may have the same up to here
        for (long step = 1; !meets(answer, parting); step *= 2) {
            if (parting <= floor) {
                return Optional.of(peer.address() + " does not go on from block " + parting + " here, "
                        + store.at(parting).map(BlockRef::toString).orElse("which is missing")
                        + (floor > 0 ? ", which is in the ledger" : ""));
            }
            parting = Math.max(floor, parting - step);
            answer = ask(peer, parting + 1, AT_ONCE);
        }
        take(answer, parting);
        return Optional.empty();
    }

    private BlocksResponse ask(Peer peer, long from, int limit) {
        return BlockServiceGrpc.newBlockingStub(peer.channel())
                .withDeadlineAfter(CALL_TIMEOUT)
                .blocks(BlocksRequest.newBuilder()
                        .setFromNumber(from)
                        .setLimit(limit)
                        .build());
    }

    private boolean isBetter(BlocksResponse answer) {
        if (!answer.hasHead()) {
            return false;
        }
        Block head = answer.getHead();
        int terms = Long.compare(head.getEpoch(), store.headEpoch());
        return terms > 0 || (terms == 0 && head.getNumber() > store.head().number());
    }

    private boolean meets(BlocksResponse answer, long parting) {
        Optional<BlockRef> own = store.at(parting);
        return own.isPresent()
                && answer.getBlocksCount() > 0
                && PeerBlock.of(answer.getBlocks(0)).follows(own.get());
    }

    private void take(BlocksResponse answer, long parting) {
        List<PeerBlock> blocks =
                answer.getBlocksList().stream().map(PeerBlock::of).toList();
        boolean done = production.whileIdle(() -> {
            long same = parting;
            for (PeerBlock block : blocks) {
                if (store.at(block.number()).filter(block.ref()::equals).isEmpty()) {
                    break;
                }
                same = block.number();
            }
            long kept = same;
            BlockRef head = store.head();
            if (kept < head.number()) {
                LOG.warn("dropping blocks {} to {}: a better chain parts there", kept + 1, head);
                store.truncate(kept);
            }
            store.append(blocks.stream().filter(block -> block.number() > kept).toList());
        });
        if (!done) {
            LOG.debug("not taken, because blocks are made here now");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        peers.forEach(peer -> peer.channel().shutdownNow());
    }
}
