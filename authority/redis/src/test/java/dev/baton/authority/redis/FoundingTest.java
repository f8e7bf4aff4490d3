package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seat is founded once; what exists is never founded over. */
final class FoundingTest {

    private static final SeatId SEAT = SeatId.of("acme", "blocks");
    private static final SeatKeys KEYS = SeatKeys.of(SEAT);

    @TempDir
    private Path dir;

    private RedisServers redis;
    private RedisSettings settings;
    private long seed;

    @BeforeEach
    void start() {
        redis = RedisServers.start(3, dir);
        settings = RedisSettings.of(redis.addresses());
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void everyNodeBecomesTheMemberThatTheSetNames() {
        MemberSet set = founded(found());

        assertThat(set.members().stream().map(Member::address)).containsExactlyInAnyOrderElementsOf(redis.addresses());
        redis.all().forEach(node -> {
            assertThat(node.call("HGET", KEYS.state(), "governing")).isEqualTo(set.toString());
            assertThat(node.call("HGET", KEYS.state(), "member"))
                    .isEqualTo(set.at(node.address()).orElseThrow().id().value());
            assertThat(node.call("HGET", KEYS.state(), "fsync")).isEqualTo("ALWAYS");
            assertThat(node.call("SMEMBERS", SeatKeys.SEATS)).isEqualTo(List.of("acme/blocks/1"));
        });
    }

    @Test
    void foundingAgainChangesNothing() {
        MemberSet set = founded(found());
        assertThat(found()).isEqualTo(new Founding.Outcome.AlreadyFounded(set, List.of()));
        assertThat(redis.get(0).call("HGET", KEYS.state(), "governing")).isEqualTo(set.toString());
    }

    @Test
    void blankNodeOfFoundedSeatIsLeftToTheHolder() {
        MemberSet set = founded(found());
        redis.get(1).call("FLUSHALL");

        assertThat(found())
                .isEqualTo(new Founding.Outcome.AlreadyFounded(
                        set, List.of(redis.get(1).address())));
        assertThat(redis.get(1).call("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void foundingThatStoppedHalfWayIsDoneAnewWithNewMembers() {
        MemberSet first = founded(found());
        redis.get(1).call("FLUSHALL");
        redis.get(2).call("FLUSHALL");

        MemberSet second = founded(found());
        assertThat(second.members()).doesNotContainAnyElementsOf(first.members());
        redis.all()
                .forEach(node ->
                        assertThat(node.call("HGET", KEYS.state(), "governing")).isEqualTo(second.toString()));
    }

    @Test
    void minorityWithHistoryIsNotFoundedOver() {
        founded(found());
        redis.get(0).call("HSET", KEYS.state(), "promised", "7", "open", "7");
        redis.get(1).call("FLUSHALL");
        redis.get(2).call("FLUSHALL");

        refused("with a history");
        assertThat(redis.get(0).call("HGET", KEYS.state(), "promised")).isEqualTo("7");
        assertThat(redis.get(1).call("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void foreignKeysAreNotFoundedOver() {
        redis.get(2).call("SET", KEYS.state(), "foreign");
        refused("a string instead of a hash");
        assertThat(redis.get(0).call("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void allNodesMustBeThere() {
        redis.get(2).stop();
        refused("2 of");
        assertThat(redis.get(0).call("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void nodesThatMayNotKeepSeatsAreRefusedFirst() {
        redis.get(1).call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        refused("allkeys-lru");
        assertThat(redis.get(0).call("DBSIZE")).isEqualTo(0L);
    }

    private Founding.Outcome found() {
        return Founding.found(settings, SEAT, "authority.", new Random(seed++));
    }

    private static MemberSet founded(Founding.Outcome outcome) {
        assertThat(outcome).isInstanceOf(Founding.Outcome.Founded.class);
        return ((Founding.Outcome.Founded) outcome).members();
    }

    private void refused(String why) {
        assertThat(found())
                .isInstanceOfSatisfying(
                        Founding.Outcome.Refused.class,
                        refused -> assertThat(refused.faults().toString()).contains(why));
    }
}
