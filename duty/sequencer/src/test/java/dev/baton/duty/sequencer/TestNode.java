package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.duty.sequencer.availability.LocalFileDataAvailability;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.fixture.Blocks;
import dev.baton.duty.sequencer.fixture.FailingFiles;
import dev.baton.duty.sequencer.fixture.FailingSigner;
import dev.baton.duty.sequencer.fixture.FakeLedger;
import dev.baton.duty.sequencer.fixture.HandDriver;
import dev.baton.duty.sequencer.fixture.HandTenure;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A sequencer on a node whose seat and ledger the test drives by hand. */
public final class TestNode implements AutoCloseable {

    /** The nodes of one test: a folder, a ledger, a clock, and everybody's public keys. */
    public static final class Cluster {
        private final Path folder;
        final FakeLedger ledger = new FakeLedger();
        final Map<NodeId, PublicKey> keys = new ConcurrentHashMap<>();
        final AtomicLong nowMillis = new AtomicLong(1_000_000);

        public Cluster(Path folder) {
            this.folder = folder;
        }

        public FakeLedger ledger() {
            return ledger;
        }
    }

    /** An executor that has outages, and counts what it executed. */
    static final class FailingExecutor implements BlockExecutor {
        private final RollingHashExecutor executor = new RollingHashExecutor();
        volatile boolean fails;
        final AtomicLong executed = new AtomicLong();

        @Override
        public Hash execute(Block block) {
            if (fails) {
                throw new IllegalStateException("the execution engine does not answer");
            }
            executed.incrementAndGet();
            return executor.execute(block);
        }

        @Override
        public Optional<String> malformed(Bytes transaction) {
            return transaction.toUtf8().startsWith("!") ? Optional.of("begins with '!'") : Optional.empty();
        }
    }

    /** Blocks come only from the ledger. */
    static final class NoExchange implements BlockExchange {
        volatile @Nullable Seating following;

        @Override
        public void follow(Seating holder) {
            following = holder;
        }

        @Override
        public void unfollow() {
            following = null;
        }

        @Override
        public void fetchBelow(Height oldest) throws BlockRefusedException {
            throw new BlockRefusedException("no peers");
        }

        @Override
        public void close() {}
    }

    public final NodeId id;
    final Cluster cluster;
    public final FailingSigner signer;
    final FailingExecutor executor = new FailingExecutor();
    final FailingFiles files = new FailingFiles();
    final LocalFileDataAvailability availability;
    public final Sequencer sequencer;
    public final SequencerDuty duty;
    private final HandDriver driver;

    public TestNode(Cluster cluster, String name) throws Exception {
        this(cluster, name, SequencerSettings.DEFAULT, (chain, verifier) -> new NoExchange());
    }

    public TestNode(Cluster cluster, String name, SequencerSettings settings, Sequencer.ExchangeFactory exchanges)
            throws Exception {
        this.id = new NodeId(name);
        this.cluster = cluster;
        LocalEd25519Signer local =
                LocalEd25519Signer.loadOrCreate(id, Era.FIRST, cluster.folder.resolve(name + ".key"));
        cluster.keys.put(id, local.publicKey());
        this.signer = new FailingSigner(local);
        this.availability = LocalFileDataAvailability.open(cluster.folder.resolve("availability"), Blocks.SEAT);
        this.sequencer = Sequencer.open(
                Blocks.SEAT,
                id,
                settings,
                cluster.folder.resolve(name),
                files,
                new SequencerParts(
                        signer,
                        node -> Optional.ofNullable(cluster.keys.get(node)),
                        executor,
                        availability,
                        () -> Instant.ofEpochMilli(cluster.nowMillis.get())),
                exchanges);
        this.duty = sequencer.duty();
        this.driver = new HandDriver(id, duty, cluster.ledger);
    }

    /** Follows the ledger to its end. */
    public void catchUpWithLedger() throws Exception {
        driver.catchUpWithLedger();
    }

    public HandTenure lead() throws Exception {
        return driver.lead();
    }

    /** Drafts the next entry; nothing is committed. */
    public Entry propose(HandTenure tenure) throws Exception {
        return driver.propose(tenure);
    }

    /** A whole pulse. */
    public Block pulse(HandTenure tenure) throws Exception {
        return driver.pulse(tenure);
    }

    public void stepDown(HandTenure tenure) {
        driver.stepDown(tenure);
    }

    /** What came of submitting, waiting for it if need be. */
    public Submitted submit(String transaction) throws Exception {
        return duty.submit(Bytes.utf8(transaction)).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        sequencer.close();
        availability.close();
    }
}
