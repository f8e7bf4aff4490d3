package dev.baton.duty.mempool.redis;

import static dev.baton.duty.mempool.Samples.hash;
import static dev.baton.duty.mempool.Samples.hashes;
import static dev.baton.duty.mempool.Samples.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.UnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pool does when its Redis is away, or is not one to rely on. */
class RedisFailureTest {

    private static final Duration TIMEOUT = Duration.ofMillis(400);

    @TempDir
    Path folder;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private RedisServer start(UnaryOperator<RedisServer.Setup> change) {
        RedisServer server = change.apply(RedisServer.in(folder)).start();
        open.push(server);
        return server;
    }

    private RedisServer start() {
        return start(setup -> setup);
    }

    private Mempool open(RedisServer server) {
        Mempool pool = RedisMempool.open(
                RedisMempoolSettings.at("redis://" + server.address())
                        .withConnections(2)
                        .withTimeout(TIMEOUT),
                MempoolLimits.DEFAULT);
        open.push(pool);
        return pool;
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** Fails in a typed way, and soon: the bound is the timeout, with room for a slow machine. */
    private static UnavailableException failure(Callable<?> operation) {
        long begun = System.nanoTime();
        try {
            operation.call();
        } catch (UnavailableException e) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT.multipliedBy(10));
            return e;
        } catch (Exception e) {
            throw new AssertionError("expected: unavailable", e);
        }
        throw new AssertionError("expected: unavailable");
    }

    @Test
    void aRedisThatIsGoneIsSaidToBeAndServesAgainWhenItIsBack() {
        RedisServer server = start();
        Mempool pool = open(server);
        assertThat(pool.receive(transaction(1))).isInstanceOf(Received.Accepted.class);
        server.kill();
        failure(() -> pool.receive(transaction(2)));
        failure(pool::stats);
        server.start();
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> pool.receive(transaction(3)) instanceof Received.Accepted
                        || pool.checkStatus(hash(3)).stage() == Stage.PENDING);
        assertThat(pool.checkStatus(hash(1)).stage()).isEqualTo(Stage.PENDING);
    }

    @Test
    void aRedisThatHangsIsGivenUpAfterTheTimeoutAndWhatWasAskedMayHaveBeenDone() {
        RedisServer server = start();
        Mempool pool = open(server);
        pool.receive(transaction(1));
        pool.markInflight("n1", Duration.ofMinutes(1), hashes(9)); // so that Redis knows the script
        server.pause();
        assertThat(failure(() -> pool.markInflight("n1", Duration.ofMinutes(1), hashes(1)))
                        .isPerhapsDone())
                .isTrue();
        server.resume();
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> pool.checkStatus(hash(1)).stage() == Stage.PROPAGATED);
    }

    @Test
    void aRedisThatForgotItsScriptsIsTaughtAgain() {
        RedisServer server = start();
        Mempool pool = open(server);
        pool.receive(transaction(1));
        server.call("SCRIPT", "FLUSH");
        assertThat(pool.receive(transaction(2))).isInstanceOf(Received.Accepted.class);
    }

    @Test
    void anEvictingRedisIsRefused() {
        RedisServer server = start(setup -> setup.option("maxmemory-policy", "allkeys-lru"));
        assertThatThrownBy(() -> open(server))
                .isInstanceOf(RedisRefusedException.class)
                .hasMessageContaining("maxmemory-policy allkeys-lru (expected: noeviction");
    }

    @Test
    void aReplicaIsRefused() {
        RedisServer server = start();
        server.call("REPLICAOF", "127.0.0.1", "1");
        assertThatThrownBy(() -> open(server))
                .isInstanceOf(RedisRefusedException.class)
                .hasMessageContaining("a replica (expected: a Redis that takes writes");
    }

    @Test
    void anotherProgramsKeyIsRefusedAtTheStartAndLater() {
        RedisServer server = start();
        server.call("RPUSH", "{dolos:mempool}:pending", "x");
        assertThatThrownBy(() -> open(server))
                .isInstanceOf(RedisRefusedException.class)
                .hasMessageContaining("{dolos:mempool}:pending: a list (expected: a zset of ours");
        server.call("DEL", "{dolos:mempool}:pending");
        Mempool pool = open(server);
        server.call("RPUSH", "{dolos:mempool}:pending", "x");
        assertThatThrownBy(() -> pool.receive(transaction(1))).isInstanceOf(RedisRefusedException.class);
        server.call("DEL", "{dolos:mempool}:pending");
        assertThat(pool.receive(transaction(1))).isInstanceOf(Received.Accepted.class);
    }

    @Test
    void aPoolOfAnotherFormIsRefused() {
        RedisServer server = start();
        server.call("HSET", "{dolos:mempool}:state", "form", "1");
        assertThatThrownBy(() -> open(server))
                .isInstanceOf(RedisRefusedException.class)
                .hasMessageContaining("{dolos:mempool}:state form: 1 (expected: 2");
    }

    @Test
    void everyKeyOfAPoolHasOneTagAndNoneIsLeftOfWhatEnded() {
        RedisServer server = start();
        Mempool pool = open(server);
        pool.receive(transaction(1, "input"));
        assertThat(String.valueOf(server.call("KEYS", "*"))).doesNotContain("dolos:mempool:");
        assertThat(server.call("EXISTS", "{dolos:mempool}:tx:" + hash(1))).isEqualTo(1L);
    }
}
