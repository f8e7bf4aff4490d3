package dev.baton.duty.sequencer.rpc;

import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.BlockRefusedException;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.PeerIntake;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.signing.BlockVerifier;
import dev.baton.wire.sequencer.v1.RangeRequest;
import dev.baton.wire.sequencer.v1.SequencerServiceGrpc;
import dev.baton.wire.sequencer.v1.SignedBlock;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets blocks that the ledger has forgotten from the stores of other nodes. */
final class PeerBlocks {

    private static final Logger log = LoggerFactory.getLogger(PeerBlocks.class);
    private static final long PAGE = 500;
    private static final int SYNC_EVERY = 500;

    private final SeatId seat;
    private final Chain chain;
    private final BlockVerifier verifier;
    private final PeerChannels channels;
    private final Supplier<List<String>> peers;
    private final Duration timeout;

    PeerBlocks(
            SeatId seat,
            Chain chain,
            BlockVerifier verifier,
            PeerChannels channels,
            Supplier<List<String>> peers,
            Duration timeout) {
        this.seat = seat;
        this.chain = chain;
        this.verifier = verifier;
        this.channels = channels;
        this.peers = peers;
        this.timeout = timeout;
    }

    void fetchBelow(Height oldest) throws Exception {
        List<String> answers = new ArrayList<>();
        Height before = chain.height();
        for (String peer : peers.get()) {
            if (reached(oldest)) {
                return;
            }
            try {
                fetch(peer, oldest);
                if (!reached(oldest)) {
                    answers.add(peer + " has no signed block beyond " + chain.height());
                }
            } catch (StatusRuntimeException e) {
                answers.add(peer + ": " + e.getStatus().getCode() + ": "
                        + e.getStatus().getDescription());
            } catch (BlockRefusedException e) {
                log.warn("a block from {} was refused: {}", peer, e.getMessage());
                answers.add(peer + ": refused: " + e.getMessage());
            }
        }
        if (!reached(oldest)) {
            throw new IOException("blocks " + before.next() + " to " + new Height(oldest.value() - 1)
                    + " are older than the ledger, and no peer could provide them all (got as far as "
                    + chain.height() + "; " + (answers.isEmpty() ? "no peers are known" : String.join("; ", answers))
                    + "); start a node that has them, or copy its block folder here");
        }
    }

    private boolean reached(Height oldest) {
        return !chain.height().next().isBelow(oldest);
    }

    private void fetch(String peer, Height oldest) throws Exception {
        PeerIntake intake = new PeerIntake(chain, verifier, SYNC_EVERY);
        Height next = chain.height().next();
        while (!reached(oldest)) {
            // Beyond the ledger's beginning only until a signed block vouches for what came before.
            long limit = next.isBelow(oldest) ? Math.min(oldest.value() - next.value(), PAGE) : PAGE;
            RangeRequest request = RangeRequest.newBuilder()
                    .setFromHeight(next.value())
                    .setLimit((int) limit)
                    .build();
            Iterator<SignedBlock> page = SequencerServiceGrpc.newBlockingStub(channels.to(peer))
                    .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .range(request);
            if (!page.hasNext()) {
                return;
            }
            while (page.hasNext()) {
                StoredBlock block = WireBlocks.decode(seat, page.next());
                if (!block.block().height().equals(next)) {
                    throw new BlockRefusedException(block.block() + " instead of " + next);
                }
                intake.take(block);
                next = next.next();
            }
        }
    }
}
