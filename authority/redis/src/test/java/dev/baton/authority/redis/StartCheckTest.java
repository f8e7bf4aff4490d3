package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each fault of a Redis is named with its value, the expectation and the remedy; and a look changes nothing. */
final class StartCheckTest {

    private static final SeatId SEAT = SeatId.of("acme", "blocks");

    @TempDir
    private Path dir;

    @Test
    void foundedSeatOnHealthyNodesHasNoFault() {
        try (RedisServers redis = RedisServers.start(3, dir)) {
            RedisSettings settings = RedisSettings.of(redis.addresses());
            found(settings, SEAT);

            assertThat(check(settings)).isEqualTo(new StartCheck(List.of(), List.of(), false));
        }
    }

    @Test
    void emptyNodesAskForInit() {
        try (RedisServers redis = RedisServers.start(3, dir)) {
            assertThat(check(RedisSettings.of(redis.addresses())).faults())
                    .singleElement()
                    .satisfies(fault -> assertThat(fault.toString())
                            .contains("acme/blocks/1 is kept nowhere")
                            .contains("run baton init"));
            redis.all().forEach(node -> assertThat(node.call("DBSIZE")).isEqualTo(0L));
        }
    }

    @Test
    void wrongClusterIsToldWhatIsKeptInstead() {
        try (RedisServers redis = RedisServers.start(3, dir)) {
            RedisSettings settings = RedisSettings.of(redis.addresses());
            found(settings, SeatId.of("acme-production", "blocks"));

            assertThat(check(settings).faults())
                    .singleElement()
                    .satisfies(fault -> assertThat(fault.toString())
                            .contains("acme/blocks/1 is kept nowhere")
                            .contains("[acme-production/blocks/1]")
                            .contains("correct the cluster's name"));
        }
    }

    @Test
    void oneDeadNodeOfThreeIsWarnedOfTwoAreFaults() {
        try (RedisServers redis = RedisServers.start(3, dir)) {
            RedisSettings settings = RedisSettings.of(redis.addresses());
            found(settings, SEAT);
            redis.get(0).stop();

            StartCheck one = check(settings);
            assertThat(one.faults()).isEmpty();
            assertThat(one.warnings())
                    .singleElement()
                    .asString()
                    .contains(redis.get(0).address() + " cannot be reached: Connection refused");

            redis.get(1).pause(); // accepts, and says nothing
            assertThat(check(settings).faults())
                    .extracting(Fault::key)
                    .containsExactly(
                            "authority.nodes " + redis.get(0).address(),
                            "authority.nodes " + redis.get(1).address());
        }
    }

    @Test
    void blankNodeOfFoundedSeatIsWarnedOf() {
        try (RedisServers redis = RedisServers.start(3, dir)) {
            RedisSettings settings = RedisSettings.of(redis.addresses());
            found(settings, SEAT);
            redis.get(2).call("FLUSHALL");

            StartCheck check = check(settings);
            assertThat(check.faults()).isEmpty();
            assertThat(check.warnings())
                    .singleElement()
                    .asString()
                    .contains(redis.get(2).address() + " keeps nothing of acme/blocks/1");
        }
    }

    @Test
    void allFaultsOfAllNodesAreReportedAtOnce() throws Exception {
        try (RedisServer master = RedisServer.in(dir.resolve("master")).start();
                RedisServer evicting = RedisServer.in(dir.resolve("evicting"))
                        .option("maxmemory-policy", "allkeys-lru")
                        .start();
                RedisServer forgetting =
                        RedisServer.in(dir.resolve("forgetting")).inMemory().start();
                RedisServer replica = RedisServer.in(dir.resolve("replica"))
                        .option("replicaof", "127.0.0.1 " + master.port())
                        .start();
                RedisServer locked =
                        RedisServer.in(dir.resolve("locked")).password("other").start();
                RedisServer crowded = RedisServer.in(dir.resolve("crowded")).start();
                OldRedis old = new OldRedis("6.0.16")) {
            SeatKeys keys = SeatKeys.of(SEAT);
            crowded.call("LPUSH", keys.ledger(), "foreign");
            crowded.call("HSET", keys.seat(), "foreign", "1");
            List<RedisServer> open = List.of(evicting, forgetting, crowded);
            List<Object> before = open.stream().map(StartCheckTest::fingerprint).toList();

            List<String> faults = check(RedisSettings.of(List.of(
                            evicting.address(),
                            forgetting.address(),
                            replica.address(),
                            locked.address(),
                            crowded.address(),
                            old.address())))
                    .faults()
                    .stream()
                    .map(Fault::toString)
                    .toList();

            assertThat(faults)
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + evicting.address() + ": maxmemory-policy allkeys-lru")
                            .contains("(expected: noeviction"))
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + forgetting.address() + ": appendonly no (expected: yes"))
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + replica.address() + ": a read-only replica"))
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + locked.address() + ": NOAUTH")
                            .contains("authority.password"))
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + crowded.address() + ": " + keys.ledger() + ": a list"))
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + crowded.address() + ": " + keys.seat() + ": a hash"))
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + old.address() + ": Redis 6.0.16 (expected: 6.2 or later"));
            assertThat(faults).hasSize(7);
            assertThat(open.stream().map(StartCheckTest::fingerprint).toList()).isEqualTo(before);
        }
    }

    @Test
    void wrongPasswordIsFaultThoughOthersAreEnough() {
        try (RedisServers redis = RedisServers.start(3, dir)) {
            RedisSettings settings = RedisSettings.of(redis.addresses());
            found(settings, SEAT);
            redis.get(0).call("CONFIG", "SET", "requirepass", "right");

            assertThat(check(settings.with(new Login(Optional.empty(), "wrong")))
                            .faults())
                    .extracting(Fault::toString)
                    .anySatisfy(fault -> assertThat(fault)
                            .startsWith("authority.nodes " + redis.get(0).address() + ": WRONGPASS"));
        }
    }

    /** What a write of any kind would change: data, scripts and settings. */
    private static Object fingerprint(RedisServer redis) {
        return List.of(
                redis.info("memory", "number_of_cached_scripts"),
                redis.info("persistence", "rdb_changes_since_last_save"),
                redis.call("CONFIG", "GET", "notify-keyspace-events"));
    }

    private static StartCheck check(RedisSettings settings) {
        return StartCheck.of(settings, Set.of(SEAT), "authority.");
    }

    private static void found(RedisSettings settings, SeatId seat) {
        assertThat(Founding.found(settings, seat, "authority.", new Random(1)))
                .isInstanceOf(Founding.Outcome.Founded.class);
    }
}
