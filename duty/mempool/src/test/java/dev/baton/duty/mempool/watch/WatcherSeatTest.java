package dev.baton.duty.mempool.watch;

import static dev.baton.duty.mempool.Samples.hash;
import static dev.baton.duty.mempool.Samples.hashes;
import static dev.baton.duty.mempool.Samples.point;
import static dev.baton.duty.mempool.Samples.term;
import static dev.baton.duty.mempool.Samples.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.core.Hash;
import dev.baton.core.NodeId;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Samples;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.Status;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.local.LocalMempool;
import dev.baton.duty.mempool.redis.RedisMempool;
import dev.baton.duty.mempool.redis.RedisMempoolSettings;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.LedgerLimits;
import dev.baton.seat.Seat;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watchers on real drivers over one real Redis: they are killed, frozen and woken, and the chain counts once. */
class WatcherSeatTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofHours(1);

    private static final SeatTimings FAST = new SeatTimings(
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            PulsePolicy.DEFAULT,
            Duration.ZERO,
            Duration.ofMillis(50),
            new BigDecimal("1.01"),
            Optional.empty());

    @TempDir
    Path folder;

    private record Node(
            String name, FreezablePool pool, MempoolDuty duty, JoinedSeat seat, MemoryAuthority authority) {}

    private final MemoryEngine engine = new MemoryEngine(FAST.takeoverDelay());
    private final List<Node> nodes = new ArrayList<>();
    private final MempoolLimits limits = new MempoolLimits(6, 30, 1000, 100_000, 20_000, 100_000, 100, 100);
    private Path chain;
    private RedisServer server;
    private Mempool pool;

    @BeforeEach
    void start() {
        server = RedisServer.in(folder.resolve("redis")).appendfsync("no").start();
        chain = folder.resolve("chain");
        pool = open();
    }

    private Mempool open() {
        return RedisMempool.open(
                RedisMempoolSettings.at("redis://" + server.address()).withConnections(2), limits);
    }

    private Node join(String name) {
        FreezablePool own = new FreezablePool(open());
        MempoolDuty duty = new MempoolDuty(Samples.SEAT, own, new FileFeed(chain));
        MemoryAuthority authority = engine.connect(new NodeId(name));
        JoinedSeat seat = Seat.of(Samples.SEAT)
                .contender(name)
                .timings(FAST)
                .keep(new LedgerLimits(256, 1 << 20))
                .onCannotStop(why -> {})
                .join(authority, duty);
        Node node = new Node(name, own, duty, seat, authority);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void leaveAll() {
        nodes.forEach(node -> node.pool().thaw());
        nodes.forEach(node -> node.seat().close());
        nodes.forEach(node -> node.pool().close());
        pool.close();
        server.close();
    }

    private Node awaitWatcher() {
        await().atMost(PATIENCE).until(() -> nodes.stream().anyMatch(WatcherSeatTest::leads));
        return nodes.stream().filter(WatcherSeatTest::leads).findFirst().orElseThrow();
    }

    private static boolean leads(Node node) {
        return node.seat().status().leads() && node.duty().watches();
    }

    private void awaitCursor(Point expected) {
        await().atMost(PATIENCE).until(() -> pool.stats().cursor().equals(expected));
    }

    @Test
    void aBlockThatCameWhileNobodyWatchedIsConfirmedByTheNextWatcher() throws Exception {
        pool.receive(transaction(1));
        pool.markInflight("n1", LEASE, hashes(1));
        Node first = join("n1");
        awaitWatcher();
        FileFeed.append(chain, point(1), List.of());
        awaitCursor(point(1));
        first.seat().close();
        nodes.remove(first);
        first.pool().close();
        FileFeed.append(chain, point(2), hashes(1));
        FileFeed.append(chain, point(3), List.of());
        join("n2");
        awaitCursor(point(3));
        assertThat(pool.checkStatus(hash(1)))
                .isEqualTo(new Status(hash(1), Stage.CONFIRMED, 2, 0, Optional.of(point(2))));
    }

    @Test
    void aRollbackOfTheChainIsFollowedBlockByBlock() throws Exception {
        join("n1");
        pool.receive(transaction(1));
        pool.markInflight("n1", LEASE, hashes(1));
        FileFeed.append(chain, point(1), List.of());
        FileFeed.append(chain, point(2), hashes(1));
        FileFeed.append(chain, point(3), List.of());
        awaitCursor(point(3));
        FileFeed.undo(chain);
        FileFeed.undo(chain);
        FileFeed.append(chain, point(2, "fork"), List.of());
        awaitCursor(point(2, "fork"));
        assertThat(pool.checkStatus(hash(1)).stage()).isEqualTo(Stage.PENDING);
    }

    /** INV-17. */
    @Test
    void aFrozenWatcherThatWakesIsRefusedAndAStandbySkips() throws Exception {
        Node first = join("n1");
        awaitWatcher();
        Node second = join("n2");
        assertThat(second.duty().confirm(Samples.block(1))).isInstanceOf(Confirmation.Skipped.class);
        first.pool().freeze();
        FileFeed.append(chain, point(1), List.of());
        await().atMost(PATIENCE).until(() -> first.pool().isStuck());
        first.authority().cut();
        await().atMost(PATIENCE).until(() -> leads(second));
        awaitCursor(point(1));
        first.pool().thaw();
        await().atMost(PATIENCE).until(() -> first.pool().fenced() > 0);
        assertThat(pool.stats().fencedConfirms()).isPositive();
        assertThat(pool.stats().cursor()).isEqualTo(point(1));
    }

    @Test
    void aWatcherWhosePoolIsAwayLosesItsSeatAndEarnsItBack() throws Exception {
        Node node = join("n1");
        awaitWatcher();
        server.kill();
        FileFeed.append(chain, point(1), List.of());
        await().atMost(PATIENCE).until(() -> !leads(node));
        server.start();
        awaitCursor(point(1));
    }

    private static List<Hash> carriedBy(int block, int transactions) {
        List<Hash> carried = new ArrayList<>();
        for (int number = 0; number < transactions; number++) {
            if (number % 7 != 0 && 1 + number % 25 == block) {
                carried.add(hash(number));
            }
        }
        return carried;
    }

    /** INV-16: what a single watcher that never fails would have made of it. */
    @Test
    void tenThousandTransactionsEndAsOneUndisturbedWatcherSaysWhileWatchersAreKilledAndFrozen() throws Exception {
        int transactions = 10_000;
        int blocks = 60;
        Mempool reference = LocalMempool.inMemory(limits, InstantSource.system());
        for (int number = 0; number < transactions; number++) {
            Transaction next = transaction(number);
            assertThat((number % 2 == 0 ? pool : reference).receive(next)).isInstanceOf(Received.Accepted.class);
            assertThat((number % 2 == 0 ? reference : pool).receive(next)).isInstanceOf(Received.Accepted.class);
        }
        for (Mempool each : List.of(pool, reference)) {
            for (int from = 0; from < transactions; from += 1000) {
                List<Hash> batch = new ArrayList<>();
                for (int number = from; number < from + 1000; number++) {
                    batch.add(hash(number));
                }
                each.markInflight("n1", LEASE, batch);
            }
        }
        join("n1");
        join("n2");
        Node frozen = null;
        for (int block = 1; block <= blocks; block++) {
            List<Hash> carried = carriedBy(block, transactions);
            reference.confirm(term(1), new ChainBlock(point(block), point(block - 1), carried));
            FileFeed.append(chain, point(block), carried);
            if (block % 10 == 0) {
                if (frozen != null) {
                    frozen.pool().thaw();
                    frozen.authority().heal();
                }
                frozen = awaitWatcher();
                frozen.pool().freeze();
                frozen.authority().cut();
                Node gone = frozen;
                await().atMost(PATIENCE)
                        .until(() ->
                                nodes.stream().anyMatch(node -> !node.name().equals(gone.name()) && leads(node)));
            }
        }
        awaitCursor(point(blocks));
        for (int number = 0; number < transactions; number++) {
            assertThat(pool.checkStatus(hash(number)))
                    .describedAs("transaction %s", number)
                    .isEqualTo(reference.checkStatus(hash(number)));
        }
        assertThat(pool.stats().finalized()).isEqualTo(transactions);
        assertThat(pool.stats().inflight()).isZero();
        assertThat(pool.dumpFinalized(0, 1000).items())
                .allSatisfy(ended -> assertThat(ended.stage()).isIn(Stage.FINALIZED, Stage.DROPPED));
    }
}
