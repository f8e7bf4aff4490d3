package dev.baton.duty.sequencer;

import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import dev.baton.duty.sequencer.signing.BlockVerifier;
import dev.baton.duty.sequencer.store.BlockStore;
import dev.baton.duty.sequencer.store.DiskFile;
import dev.baton.duty.sequencer.store.StorageFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sequencer on one node: its chain, its duty, and its exchange of blocks with the others. */
public final class Sequencer implements AutoCloseable {

    /** Makes the exchange for a chain that has just been opened. */
    @FunctionalInterface
    public interface ExchangeFactory {
        BlockExchange create(Chain chain, BlockVerifier verifier);
    }

    private static final Logger log = LoggerFactory.getLogger(Sequencer.class);

    private final Chain chain;
    private final SequencerDuty duty;
    private final BlockExchange exchange;
    private final ExecutorService answers;

    private Sequencer(Chain chain, SequencerDuty duty, BlockExchange exchange, ExecutorService answers) {
        this.chain = chain;
        this.duty = duty;
        this.exchange = exchange;
        this.answers = answers;
    }

    /**
     * Opens the block store in {@code folder} and rebuilds everything from it; that takes longer the more blocks there
     * are.
     */
    public static Sequencer open(
            SeatId seat,
            NodeId self,
            SequencerSettings settings,
            Path folder,
            SequencerParts parts,
            ExchangeFactory exchanges)
            throws Exception {
        return open(seat, self, settings, folder, DiskFile::open, parts, exchanges);
    }

    static Sequencer open(
            SeatId seat,
            NodeId self,
            SequencerSettings settings,
            Path folder,
            StorageFile.Opener files,
            SequencerParts parts,
            ExchangeFactory exchanges)
            throws Exception {
        List<Fault> faults = settings.faults("sequencer.");
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    String.join("\n", faults.stream().map(Fault::toString).toList()));
        }
        CommittedTransactions transactions = new CommittedTransactions(settings.duplicateWindow());
        Chain chain = openChain(BlockStore.open(folder, seat, settings.segmentBytes(), files), parts, transactions);
        BlockExchange exchange = exchanges.create(chain, new BlockVerifier(seat.era(), parts.keys()));
        // One thread, so that answers keep their order.
        ExecutorService answers = Executors.newSingleThreadExecutor(
                Thread.ofVirtual().name("sequencer-answers").factory());
        SequencerDuty duty = new SequencerDuty(
                self,
                settings,
                chain,
                transactions,
                parts.executor(),
                parts.signer(),
                parts.availability(),
                exchange,
                parts.clock(),
                answers);
        return new Sequencer(chain, duty, exchange, answers);
    }

    private static Chain openChain(BlockStore store, SequencerParts parts, CommittedTransactions transactions)
            throws Exception {
        try {
            return Chain.open(store, parts.executor(), transactions);
        } catch (Exception e) {
            store.close();
            throw e;
        }
    }

    public SequencerDuty duty() {
        return duty;
    }

    public Chain chain() {
        return chain;
    }

    /** The signer and the data-availability layer belong to the caller and stay open. */
    @Override
    public void close() {
        exchange.close();
        duty.stop();
        answers.shutdown();
        try {
            chain.close();
        } catch (IOException e) {
            // What could not be written is read again from the ledger after the restart.
            log.warn("closing the block store: {}", e.getMessage());
        }
    }
}
