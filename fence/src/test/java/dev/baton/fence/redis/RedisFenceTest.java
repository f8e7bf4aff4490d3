package dev.baton.fence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.core.Epoch;
import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import dev.baton.fence.testing.HolderProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real Redis. INV-1, INV-2. */
class RedisFenceTest {

    private RedisServer server;
    private RedisClient client;
    private RedisCommands<String, String> redis;
    private RedisFence guard;

    @BeforeEach
    void start(@TempDir Path dir) {
        server = RedisServer.in(dir).inMemory().start();
        client = RedisClient.create("redis://" + server.address());
        redis = client.connect().sync();
        guard = new RedisFence(redis, "fence");
    }

    @AfterEach
    void stop() {
        client.shutdown();
        server.close();
    }

    private static Fence epoch(long epoch) {
        return Fence.of("demo", "jobs", 1, epoch);
    }

    private RedisOutcome push(Fence fence, String line) {
        return guard.write(fence, RedisWrite.of("RPUSH", "lines", line));
    }

    private List<String> lines() {
        return redis.lrange("lines", 0, -1);
    }

    @Test
    void lowerEpochsAreRefusedAndWriteNothing() {
        assertThat(push(epoch(5), "a").answers()).containsExactly(1L);
        assertThat(push(epoch(5), "b").answers()).containsExactly(2L);
        assertThat(guard.admit(epoch(6)).isAdmitted()).isTrue();

        assertThat(push(epoch(5), "late"))
                .isEqualTo(new RedisOutcome(new Admission.Stale(epoch(5), epoch(6)), List.of()));
        assertThat(push(Fence.of("demo", "other", 9, 9), "other").admission()).isInstanceOf(Admission.OtherSeat.class);
        assertThat(push(Fence.of("demo", "jobs", 2, 1), "c").admission().isAdmitted())
                .isTrue();
        assertThat(push(epoch(Epoch.MAX_VALUE), "late").admission()).isInstanceOf(Admission.Stale.class);
        assertThat(lines()).containsExactly("a", "b", "c");
    }

    /** Lua would write them all as 9.007199254741e+15. */
    @Test
    void largestEpochsAreToldApart() {
        assertThat(push(epoch(Epoch.MAX_VALUE - 1), "a").admission().isAdmitted())
                .isTrue();
        assertThat(push(epoch(Epoch.MAX_VALUE), "b").admission().isAdmitted()).isTrue();

        assertThat(push(epoch(Epoch.MAX_VALUE - 1), "late").admission())
                .isEqualTo(new Admission.Stale(epoch(Epoch.MAX_VALUE - 1), epoch(Epoch.MAX_VALUE)));
        assertThat(lines()).containsExactly("a", "b");
    }

    @Test
    void severalWritesHappenTogether() {
        RedisOutcome outcome = guard.write(
                epoch(1),
                RedisWrite.of("SET", "one", "1"),
                RedisWrite.of("HSET", "two", "field", "2", "other", "3"),
                RedisWrite.of("DEL", "one"));

        assertThat(outcome.answers()).containsExactly("OK", 2L, 1L);
        assertThat(redis.hgetall("two")).containsEntry("field", "2").containsEntry("other", "3");
        assertThat(redis.exists("one")).isZero();
    }

    @Test
    void aRedisThatForgotTheScriptIsGivenItAgain() {
        push(epoch(1), "a");
        redis.scriptFlush();

        assertThat(push(epoch(1), "b").admission().isAdmitted()).isTrue();
    }

    @Test
    void aDamagedFenceLetsNobodyIn() {
        push(epoch(5), "a");
        redis.hdel("fence", "epoch");

        assertThatThrownBy(() -> push(epoch(6), "late"))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageContaining("damaged");
        assertThat(lines()).containsExactly("a");
    }

    @Test
    void aWriteToTheFenceItselfIsNotAccepted() {
        assertThatThrownBy(() -> guard.write(epoch(1), RedisWrite.of("DEL", "fence")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key of the fence");
    }

    @Test
    void aHolderThatWasPausedAndReplacedIsRefusedWhenItWakes() throws Exception {
        try (HolderProcess old =
                HolderProcess.start(RedisHolder.class, "redis://" + server.address(), epoch(1).toString())) {
            assertThat(old.ask("old-1")).isEqualTo("wrote");
            old.pause();
            old.order("old-2");
            assertThat(push(epoch(2), "new-1").admission().isAdmitted()).isTrue();
            old.wake();

            assertThat(old.answer()).startsWith("refused: fence: demo/jobs/1/1 (expected: demo/jobs/1/2 or higher");
        }
        assertThat(lines()).containsExactly("old-1", "new-1");
        assertThat(redis.hget("last", "line")).isEqualTo("old-1");
    }
}
