package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import dev.baton.core.Fact;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.LedgerRule;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.store.BlockStore;
import dev.baton.duty.sequencer.store.StoreUnusableException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The one committed chain of blocks that this node knows: executed, stored, and indexed by transaction.
 *
 * <p>Blocks come from the ledger on the duty thread and from peers on theirs; both ways end here, one at a time. Every
 * block that is added is committed: the ledger says so, or a signature does, because nobody signs any other. What is
 * known already is compared and skipped, so each source may be as late or as early as it likes.
 */
public final class Chain implements Closeable {

    /** Whom to believe when a block does not fit. */
    enum Source {
        /** The ledger is right, so this node's store is not: stop. */
        LEDGER,
        /** A peer may be wrong: refuse its block, and go on. */
        PEER
    }

    private static final int RECENT = 64;

    private final BlockStore store;
    private final BlockExecutor executor;
    private final CommittedTransactions transactions;
    private final ConcurrentSkipListMap<Long, StoredBlock> recent = new ConcurrentSkipListMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** What has been appended; guarded by this. Others see it as {@link #tip} once it is as durable as they asked. */
    private @Nullable Block last;

    private Hash executed = Hash.ZERO;
    private int unsynced;

    private volatile @Nullable Block tip;
    private volatile Hash stateRoot = Hash.ZERO;
    private volatile @Nullable RuntimeException stopped;
    private volatile @Nullable String writeFailure;

    private Chain(BlockStore store, BlockExecutor executor, CommittedTransactions transactions) {
        this.store = store;
        this.executor = executor;
        this.transactions = transactions;
    }

    /** Rebuilds the executor's state and the index of transactions from the store, from height 1 on. */
    static Chain open(BlockStore store, BlockExecutor executor, CommittedTransactions transactions) throws Exception {
        Chain chain = new Chain(store, executor, transactions);
        chain.replay();
        return chain;
    }

    private synchronized void replay() throws Exception {
        for (Height at = Height.FIRST; !at.isAbove(store.height()); at = at.next()) {
            Height height = at;
            StoredBlock stored = store.read(at)
                    .orElseThrow(() -> new StoreUnusableException("block store: block " + height + " is missing"));
            if (!stored.block().entry().follows(headOf(last))) {
                throw new StoreUnusableException("block store: " + stored.block() + " does not follow "
                        + headOf(last) + "; move the folder aside and restart: the node refills it from its peers"
                        + " and the ledger");
            }
            execute(stored.block());
            accept(stored);
        }
        tip = last;
    }

    private static Head headOf(@Nullable Block block) {
        return block == null ? Head.GENESIS : block.asHead();
    }

    /** The last block that others may see. */
    public Optional<Block> tip() {
        return Optional.ofNullable(tip);
    }

    public Head head() {
        return headOf(tip);
    }

    public Height height() {
        return head().height();
    }

    /** The executor's state after the last block. */
    public Hash stateRoot() {
        return stateRoot;
    }

    /** Adds committed blocks, durable on return. Throws {@link ForkDetectedException} if they contradict the store. */
    void addFromLedger(List<StoredBlock> blocks) throws Exception {
        add(blocks, Source.LEDGER, 1);
    }

    /**
     * Adds a run of blocks whose last one carries a verified signature.
     *
     * @param syncEvery the disk is synced when so many blocks wait for it
     */
    void addFromPeer(List<StoredBlock> run, int syncEvery) throws Exception {
        add(run, Source.PEER, syncEvery);
    }

    private void add(List<StoredBlock> blocks, Source source, int syncEvery) throws Exception {
        Head before = head();
        try {
            addInOrder(blocks, source, syncEvery);
        } finally {
            if (!before.equals(head())) {
                listeners.forEach(Runnable::run);
            }
        }
    }

    private synchronized void addInOrder(List<StoredBlock> blocks, Source source, int syncEvery) throws Exception {
        Exception failure = null;
        try {
            for (StoredBlock block : blocks) {
                addOne(block, source);
            }
        } catch (Exception e) {
            failure = e;
        }
        writeFailure = failure instanceof IOException ? failure.getMessage() : null;
        // Also after a failure: the blocks before the one that failed are as good as any.
        syncAfter(syncEvery, failure);
    }

    private void syncAfter(int syncEvery, @Nullable Exception failure) throws Exception {
        try {
            if (unsynced >= syncEvery) {
                store.sync();
                unsynced = 0;
            }
            tip = last;
        } catch (IOException e) {
            writeFailure = e.getMessage();
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void addOne(StoredBlock stored, Source source) throws Exception {
        RuntimeException before = stopped;
        if (before != null) {
            throw before;
        }
        Block block = stored.block();
        switch (LedgerRule.relate(block.entry(), headOf(last))) {
            case NEXT -> {
                execute(block);
                store.append(stored);
                unsynced++;
                accept(stored);
            }
            case SAME_AS_HEAD, BELOW -> compare(stored, source);
            case OTHER_PARENT ->
                contradict(
                        block,
                        source,
                        "has parent " + block.parent().toShortString() + ", but this node's store ends at "
                                + headOf(last));
            case GAP ->
                throw new BlockRefusedException(block + " comes too early (expected: "
                        + headOf(last).height().next() + ")");
        }
    }

    /** If storing the block fails afterwards, it comes again, and must not be executed twice. */
    private void execute(Block block) throws Exception {
        if (executed.equals(block.hash())) {
            return;
        }
        for (Fact fact : block.entry().facts()) {
            if (fact instanceof Fact.Checkpoint(Height covers, int part, int parts, Bytes state)
                    && covers.equals(headOf(last).height())
                    && part == 1
                    && parts == 1
                    && !state.equals(Bytes.wrap(stateRoot.toArray()))) {
                throw stop(new StateDivergedException(block + " says that the state after " + covers + " is "
                        + state.toHex() + ", but it is " + stateRoot + " here: the executor is not deterministic or"
                        + " not the same on all nodes"));
            }
        }
        stateRoot = executor.execute(block);
        executed = block.hash();
    }

    private void accept(StoredBlock stored) {
        last = stored.block();
        transactions.add(stored.block());
        recent.put(stored.block().height().value(), stored);
        if (recent.size() > RECENT) {
            recent.pollFirstEntry();
        }
    }

    private void compare(StoredBlock stored, Source source) throws Exception {
        Height at = stored.block().height();
        StoredBlock known = find(at).orElseThrow();
        if (!known.block().hash().equals(stored.block().hash())) {
            contradict(
                    stored.block(),
                    source,
                    "differs from this node's stored block " + known.block().asHead());
        }
        BlockSignature signature = stored.signatureOrNull();
        if (signature != null && known.signatureOrNull() == null) {
            store.addSignature(at, signature);
            recent.replace(at.value(), known, stored);
        }
    }

    private void contradict(Block block, Source source, String how) throws BlockRefusedException {
        switch (source) {
            case PEER -> throw new BlockRefusedException(block + " " + how);
            case LEDGER ->
                throw stop(new ForkDetectedException(block + " of the ledger " + how
                        + "; nothing was overwritten. Find out which of them other nodes have; to follow the ledger,"
                        + " move this node's block folder aside and restart"));
        }
    }

    private RuntimeException stop(RuntimeException why) {
        stopped = why;
        return why;
    }

    /** The broken invariant after which nothing more is taken in, if there is one. */
    Optional<RuntimeException> stopped() {
        return Optional.ofNullable(stopped);
    }

    /** What is wrong with the disk, as far as the last attempt to add a block tells. */
    Optional<String> writeFailure() {
        return Optional.ofNullable(writeFailure);
    }

    private Optional<StoredBlock> find(Height at) throws IOException {
        StoredBlock cached = recent.get(at.value());
        return cached != null ? Optional.of(cached) : store.read(at);
    }

    /** Safe from any thread; does not wait for the disk to sync. */
    public Optional<StoredBlock> read(Height at) throws IOException {
        return at.isAbove(height()) ? Optional.empty() : find(at);
    }

    /** Blocks in order from {@code from} on: at most {@code blocks}, and no more after {@code bytes}. */
    public List<StoredBlock> range(Height from, int blocks, long bytes) throws IOException {
        List<StoredBlock> found = new ArrayList<>();
        long size = 0;
        Optional<StoredBlock> next = read(from);
        while (next.isPresent() && found.size() < blocks && size < bytes) {
            found.add(next.get());
            size += next.get().block().entry().payload().size();
            next = read(next.get().block().height().next());
        }
        return found;
    }

    /**
     * From where on to ask a peer: the next block, or an earlier one among the last {@code within} whose signature
     * this node lacks.
     */
    public Height wanted(int within) {
        Height next = height().next();
        Height earliest = new Height(Math.max(1, next.value() - within));
        return store.firstUnsigned(earliest)
                .filter(found -> found.isBelow(next))
                .orElse(next);
    }

    public int unsignedCount() {
        return store.unsignedCount();
    }

    /** Calls the listener after the chain has grown, on the thread that added to it: it must not block. */
    public void onGrowth(Runnable listener) {
        listeners.add(listener);
    }

    public void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    void probe() throws Exception {
        RuntimeException before = stopped;
        if (before != null) {
            throw before;
        }
        synchronized (this) {
            // A store that once failed to sync takes nothing more, even if the disk is well again.
            store.sync();
            unsynced = 0;
        }
        store.probe();
        executor.probe();
    }

    @Override
    public synchronized void close() throws IOException {
        try (store) {
            store.sync();
        }
    }
}
