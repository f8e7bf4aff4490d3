package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import dev.baton.duty.TermOverException;
import dev.baton.duty.sequencer.availability.DataAvailability;
import dev.baton.duty.sequencer.availability.DataAvailabilityPublisher;
import dev.baton.duty.sequencer.availability.Publishing;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockBody;
import dev.baton.duty.sequencer.block.BlockBodyCodec;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.signing.BlockSigner;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes a block per pulse, empty when nobody submits anything, and keeps the chain while others make them.
 *
 * <p>A block is a ledger entry. Once it is committed it is signed, executed and stored; then its submitters are
 * answered, and the followers, who read from the store, see it. The next block is drafted only after that, so a
 * signer, executor or store that fails stops production, and in the end loses the seat.
 *
 * <p>"Rebuilt" means that the store holds every block from height 1 on: the executor's state and the index of
 * transactions come from there. A checkpoint in the ledger therefore carries only the state's root. It lets the
 * ledger forget older blocks, which a node that lacks them then gets from its peers' stores.
 */
public final class SequencerDuty implements Duty, Submitter {

    /** A draft is repeated word for word until a block at its height is released. */
    private record Drafted(Head parent, Draft draft) {}

    private record Signed(Block block, BlockSignature signature) {}

    private final NodeId self;
    private final SequencerSettings settings;
    private final Chain chain;
    private final CommittedTransactions transactions;
    private final TransactionPool pool;
    private final BlockSigner signer;
    private final DataAvailability availability;
    private final DataAvailabilityPublisher publisher;
    private final BlockExchange exchange;
    private final InstantSource clock;

    private @Nullable Drafted drafted;
    private @Nullable Signed signed;

    /** Guarded by itself: whether a term begins or ends first must not be left to chance. */
    private final Object terms = new Object();

    private @Nullable Term over;

    private volatile @Nullable Seating holder;
    private volatile Height ledgerBegins = Height.FIRST;
    private final AtomicLong produced = new AtomicLong();

    SequencerDuty(
            NodeId self,
            SequencerSettings settings,
            Chain chain,
            CommittedTransactions transactions,
            BlockExecutor executor,
            BlockSigner signer,
            DataAvailability availability,
            BlockExchange exchange,
            InstantSource clock,
            Executor answers) {
        this.self = self;
        this.settings = settings;
        this.chain = chain;
        this.transactions = transactions;
        this.pool = new TransactionPool(settings, transactions, executor::malformed, this::notHolder, answers);
        this.signer = signer;
        this.availability = availability;
        this.publisher = new DataAvailabilityPublisher(
                availability, chain::range, settings.availabilityBatch(), settings.availabilityRetry());
        this.exchange = exchange;
        this.clock = clock;
    }

    @Override
    public Fencing fencing() {
        return Fencing.AT_LEDGER;
    }

    @Override
    public Height applied() {
        return chain.height();
    }

    @Override
    public Readiness readiness() {
        Optional<RuntimeException> stopped = chain.stopped();
        if (stopped.isPresent()) {
            return new Readiness.NotReady(String.valueOf(stopped.get().getMessage()));
        }
        Optional<String> writeFailure = chain.writeFailure();
        if (writeFailure.isPresent()) {
            return new Readiness.NotReady(writeFailure.get());
        }
        Height needed = ledgerBegins;
        if (applied().next().isBelow(needed)) {
            return new Readiness.NotReady("the ledger begins at " + needed + ", but the block store ends at "
                    + applied() + ": getting the rest from peers");
        }
        return new Readiness.Ready();
    }

    @Override
    public void apply(List<Entry> entries) throws Exception {
        chain.addFromLedger(entries.stream()
                .map(entry -> StoredBlock.unsigned(Block.of(entry)))
                .toList());
    }

    @Override
    public void catchUp(Height oldest) throws Exception {
        ledgerBegins = oldest;
        exchange.fetchBelow(oldest);
    }

    @Override
    public void holderChanged(Optional<Seating> now) {
        holder = now.orElse(null);
        if (now.isPresent() && !isSelf(now.get()) && !now.get().address().isEmpty()) {
            exchange.follow(now.get());
        } else {
            exchange.unfollow();
        }
    }

    private boolean isSelf(Seating seating) {
        return seating.term().node().equals(self);
    }

    /** Where the holder can be reached, if it is another node. */
    public Optional<String> holderAddress() {
        Seating now = holder;
        return now == null || isSelf(now) || now.address().isEmpty() ? Optional.empty() : Optional.of(now.address());
    }

    private Submitted.NotHolder notHolder() {
        return new Submitted.NotHolder(holderAddress().orElse(null));
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        requireTip(tenure.head());
        signRecoveredTip();
        drafted = null;
        synchronized (terms) {
            if (tenure.term().equals(over)) {
                throw new TermOverException(tenure.term());
            }
            tenure.check();
            exchange.unfollow();
            pool.open();
            publisher.start();
        }
    }

    private void requireTip(Head head) {
        if (!chain.head().equals(head)) {
            throw new IllegalStateException(
                    "block store ends at " + chain.head() + " (expected: the ledger's head " + head + ")");
        }
    }

    /** The last holder may have died between committing a block and signing it. */
    private void signRecoveredTip() throws Exception {
        Optional<StoredBlock> tip = chain.read(chain.height());
        if (tip.isPresent() && tip.get().signature().isEmpty()) {
            Block block = tip.get().block();
            chain.addFromLedger(List.of(new StoredBlock(block, sign(block))));
        }
    }

    private BlockSignature sign(Block block) throws Exception {
        Signed before = signed;
        if (before != null && before.block().hash().equals(block.hash())) {
            return before.signature();
        }
        BlockSignature signature = signer.sign(block);
        signed = new Signed(block, signature);
        return signature;
    }

    @Override
    public Draft draft(Tenure tenure) {
        tenure.check();
        Head parent = tenure.head();
        requireTip(parent);
        Drafted before = drafted;
        if (before != null && before.parent().equals(parent)) {
            return before.draft();
        }
        String origin = availability.origin();
        List<Bytes> content = pool.reserve(settings.maxBlockBytes() - BlockBodyCodec.sizeOfEmpty(origin));
        long parentTime = chain.tip().map(tip -> tip.body().timeMillis()).orElse(-1L);
        BlockBody body = new BlockBody(Math.max(parentTime + 1, clock.millis()), origin, content);
        Draft draft = new Draft(BlockBodyCodec.encode(body), checkpointAfter(parent.height()));
        drafted = new Drafted(parent, draft);
        return draft;
    }

    private List<Fact> checkpointAfter(Height height) {
        return height.equals(Height.ZERO) || height.value() % settings.checkpointEvery() != 0
                ? List.of()
                : List.of(new Fact.Checkpoint(
                        height, 1, 1, Bytes.wrap(chain.stateRoot().toArray())));
    }

    /**
     * Whatever happens here concerns a committed block, so it does no harm even if a pause lets it happen after the
     * term: a signature and an acknowledgement are as true then as before.
     */
    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        tenure.check();
        Block block = Block.of(entry);
        boolean first = chain.height().isBelow(block.height());
        chain.addFromLedger(List.of(new StoredBlock(block, sign(block))));
        if (first) {
            produced.incrementAndGet();
        }
        pool.released(block);
        publisher.nudge();
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        synchronized (terms) {
            over = tenure.term();
            pool.close();
            publisher.stop();
        }
    }

    @Override
    public void probe() throws Exception {
        chain.probe();
        signer.probe();
    }

    @Override
    public CompletionStage<Submitted> submit(Bytes transaction) {
        return pool.submit(transaction);
    }

    /** How this node is doing. Callable from any thread, must not be called more often than people look. */
    public SequencerStatistics statistics() {
        Publishing publishing = publisher.now();
        Optional<Block> tip = chain.tip();
        return new SequencerStatistics(
                chain.head(),
                tip.map(block -> block.body().timeMillis()).orElse(0L),
                tip.map(block -> block.body().l1Origin()).orElse(""),
                chain.stateRoot(),
                publishing.safeHead(),
                publishing.layerHeight(),
                publishing.lastLatency(),
                publishing.failures(),
                publishing.lastFailureOrNull(),
                transactions.total(),
                pool.size(),
                pool.bytes(),
                chain.unsignedCount(),
                produced.get(),
                0);
    }

    /** Stops what runs in the background. The duty's parts belong to whoever made them. */
    void stop() {
        pool.close();
        publisher.close();
    }
}
