package dev.baton.duty.mempool;

import static dev.baton.duty.mempool.Samples.hash;
import static dev.baton.duty.mempool.Samples.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.local.LocalMempool;
import dev.baton.duty.mempool.redis.RedisPools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/**
 * The same random histories for all three pools, and the same answers and states expected of them: the one in memory is
 * the reference.
 *
 * <p>Callers crash between any two of their steps: a claim that nobody acknowledges, a block whose slices stop anywhere,
 * a watcher that comes back under an old term, a pool that is opened anew from what its keeper has.
 */
class MempoolModelTest {

    private static final int NUMBERS = 14;
    private static final int STEPS = 60;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final MempoolLimits LIMITS = new MempoolLimits(3, 2, 100, 9, 5, 100_000, 3, 3);

    private static Path folder = Path.of("");
    private static @Nullable RedisServer server;

    @BeforeContainer
    static void start() throws IOException {
        folder = Files.createTempDirectory("mempool-model");
        server = RedisServer.in(folder.resolve("redis")).appendfsync("no").start();
    }

    @AfterContainer
    static void stop() throws IOException {
        redis().close();
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static RedisServer redis() {
        return Objects.requireNonNull(server);
    }

    /** One history's three pools. */
    private static final class Three implements AutoCloseable {
        private final TestClock clock = new TestClock();
        private final Path file;
        private final Mempool reference = LocalMempool.inMemory(LIMITS, clock);
        private Mempool durable;
        private Mempool shared;

        Three(long seed) {
            file = folder.resolve("pool-" + seed);
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            redis().call("FLUSHALL");
            durable = LocalMempool.open(file, LIMITS, clock);
            shared = RedisPools.open(redis(), LIMITS, clock);
        }

        void reopen() {
            durable.close();
            durable = LocalMempool.open(file, LIMITS, clock);
            shared.close();
            shared = RedisPools.open(redis(), LIMITS, clock);
        }

        <T> T all(String what, Function<Mempool, T> operation) {
            T expected = operation.apply(reference);
            assertThat(operation.apply(durable))
                    .describedAs("in a file: %s", what)
                    .isEqualTo(expected);
            assertThat(operation.apply(shared))
                    .describedAs("on Redis: %s", what)
                    .isEqualTo(expected);
            return expected;
        }

        @Override
        public void close() {
            durable.close();
            shared.close();
        }
    }

    @Property(tries = 40)
    void allPoolsAnswerTheSameAndComeToTheSameState(@ForAll long seed) {
        Random random = new Random(seed);
        try (Three pools = new Three(seed)) {
            History history = new History(pools, random);
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            PoolView end = pools.all("state", pool -> PoolView.of(pool, NUMBERS));
            history.checkNothingLost(end);
        }
    }

    private static final class History {
        private final Three pools;
        private final Random random;
        private final List<String> told = new ArrayList<>();
        private final Set<Hash> accepted = new HashSet<>();
        private long epoch = 1;
        private int fork;

        History(Three pools, Random random) {
            this.pools = pools;
            this.random = random;
        }

        void step() {
            int kind = random.nextInt(100);
            if (kind < 30) {
                receive();
            } else if (kind < 45) {
                List<Hash> hashes = some();
                all("mark " + hashes, pool -> pool.markInflight("n" + epoch, LEASE, hashes));
            } else if (kind < 53) {
                List<Hash> hashes = some();
                all("acknowledge " + hashes, pool -> pool.markAcknowledged(hashes));
            } else if (kind < 60) {
                Duration time = Duration.ofSeconds(random.nextInt(12));
                told.add("pass " + time);
                pools.clock.pass(time);
                all("look", Mempool::hasPending);
            } else if (kind < 80) {
                block();
            } else if (kind < 86) {
                rollback();
            } else if (kind < 90) {
                long by = someEpoch();
                all("advance by " + by, pool -> pool.advance(term(by)));
            } else if (kind < 94) {
                epoch += random.nextInt(2);
                all("assume " + epoch, pool -> pool.assume(term(epoch)));
            } else if (kind < 96) {
                told.add("reopen");
                pools.reopen();
            } else {
                all("state", pool -> PoolView.of(pool, NUMBERS));
            }
        }

        private <T> T all(String what, Function<Mempool, T> operation) {
            told.add(what);
            return pools.all(told.toString(), operation);
        }

        private void receive() {
            int number = random.nextInt(NUMBERS);
            List<Bytes> keys = random.nextInt(3) == 0 ? List.of(Bytes.utf8("key" + random.nextInt(4))) : List.of();
            Transaction transaction = new Transaction(hash(number), Samples.payload(number), keys);
            if (all("receive " + number + " " + keys, pool -> pool.receive(transaction)) instanceof Received.Accepted) {
                accepted.add(hash(number));
            }
        }

        private List<Hash> some() {
            List<Hash> hashes = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                hashes.add(hash(random.nextInt(NUMBERS)));
            }
            return hashes;
        }

        /** Now and then that of a watcher that was replaced. */
        private long someEpoch() {
            return random.nextInt(6) == 0 ? Math.max(1, epoch - 1) : epoch;
        }

        private void block() {
            Point cursor = pools.reference.stats().cursor();
            boolean isNext = random.nextInt(10) > 0;
            Point parent = isNext ? cursor : Samples.point(random.nextInt(5));
            Point point = new Point(parent.number() + 1, hash(10_000 + fork++));
            List<Hash> unseen = random.nextInt(4) == 0 ? some() : List.of();
            ChainBlock block = new ChainBlock(point, parent, some(), unseen);
            long by = someEpoch();
            if (random.nextInt(3) == 0) {
                // The watcher crashes after so many slices; any step may follow.
                all("begin " + block + " by " + by, pool -> pool.begin(term(by), block));
                for (int slices = random.nextInt(3); slices > 0; slices--) {
                    all("advance by " + by, pool -> pool.advance(term(by)));
                }
            } else {
                all("confirm " + block + " by " + by, pool -> pool.confirm(term(by), block));
                if (random.nextInt(4) == 0) {
                    all("confirm again " + point, pool -> pool.confirm(term(by), block));
                }
            }
        }

        private void rollback() {
            Point cursor = pools.reference.stats().cursor();
            long by = someEpoch();
            if (random.nextInt(3) == 0) {
                all("begin rollback " + cursor, pool -> pool.beginRollback(term(by), cursor));
            } else {
                all("rollback " + cursor, pool -> pool.rollback(term(by), cursor));
            }
        }

        /** Whatever was accepted is somewhere, unless so much ended since that the pool may have forgotten it. */
        void checkNothingLost(PoolView end) {
            Set<Hash> forgettable = new HashSet<>();
            end.events().stream()
                    .filter(event -> event.stage() == Stage.FINALIZED || event.stage() == Stage.DROPPED)
                    .forEach(event -> forgettable.add(event.hash()));
            for (Status status : end.statuses()) {
                if (accepted.contains(status.hash()) && !forgettable.contains(status.hash())) {
                    assertThat(status.stage()).describedAs("%s", told).isNotEqualTo(Stage.UNKNOWN);
                }
            }
            List<Hash> live = new ArrayList<>();
            end.inflight().forEach(each -> live.add(each.hash()));
            assertThat(new HashSet<>(live)).hasSameSizeAs(live);
            assertThat(Collections.disjoint(
                            live,
                            end.pending().stream()
                                    .map(text -> text.split(" ", -1)[1])
                                    .map(Hash::parse)
                                    .toList()))
                    .isTrue();
        }
    }
}
