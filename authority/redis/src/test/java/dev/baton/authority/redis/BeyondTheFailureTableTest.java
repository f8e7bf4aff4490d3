package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Resignation;
import dev.baton.authority.redis.quorum.QuorumSeat;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.authority.redis.quorum.Sequencer;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the published failure table does not have, on real Redis processes. */
class BeyondTheFailureTableTest extends OnThreeRedis {

    BeyondTheFailureTableTest(@TempDir Path dir) {
        super(dir);
    }

    /** A resignation is a deletion, which the published flags did not deliver: only looking would find it. */
    @Test
    void aResignationIsSeenByEvent() throws Exception {
        QuorumSettings blind = new QuorumSettings(
                Duration.ofMinutes(10),
                3,
                Duration.ofMillis(200),
                Duration.ofMillis(100),
                Duration.ofMinutes(10),
                Duration.ZERO);
        QuorumSeat follower = join(settings().with(blind));
        Sequencer leader = Sequencer.take("n1", join(settings().with(blind)));
        leader.commit(1);
        Vacancies vacancies = new Vacancies(follower);
        vacancies.awaitTaken();

        leader.resign();

        vacancies.awaitVacated();
    }

    /** Without fsync before each answer a restarted node may have forgotten a promise. */
    @Test
    void aRollingRestartUnderEverysecNeedsNoOperator() throws Exception {
        servers.all().forEach(server -> server.call("CONFIG", "SET", "appendfsync", "everysec"));
        Sequencer leader = Sequencer.take("n1", join());
        Entry first = leader.commit("the first");
        for (RedisServer server : servers.all()) {
            String before = String.valueOf(server.call("HGET", SeatKeys.of(SEAT).state(), "member"));
            awaitPolicy(server, "LATER", leader);
            server.kill();
            leader.commit("while it is down");
            server.start();
            commitUntil(
                    leader,
                    "it is another member",
                    () -> !before.equals(
                            String.valueOf(server.call("HGET", SeatKeys.of(SEAT).state(), "member"))));
            commitUntil(
                    leader,
                    "its set is the ledger's",
                    () -> String.valueOf(server.call("HGET", SeatKeys.of(SEAT).state(), "governing"))
                            .contains(String.valueOf(
                                    server.call("HGET", SeatKeys.of(SEAT).state(), "member"))));
        }

        Sequencer successor = Sequencer.take("n2", join(), new Claim.Evidence(leader.term()));
        assertThat(successor.ledger()).startsWith(first).hasSize((int)
                leader.head().height().value());
    }

    private void awaitPolicy(RedisServer server, String policy, Sequencer leader) {
        commitUntil(
                leader,
                "its policy is known",
                () -> policy.equals(
                        String.valueOf(server.call("HGET", SeatKeys.of(SEAT).state(), "fsync"))));
    }

    /** While a node is brought up to date by the megabyte, the lease is renewed all the same. */
    @Test
    void largePayloadsDoNotHoldUpTheSeat() throws Exception {
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit("the first");
        servers.get(2).kill();
        Bytes megabyte = Bytes.wrap(new byte[1 << 20]);
        for (int i = 0; i < 25; i++) {
            leader.commit(leader.draft(megabyte));
        }
        servers.get(2).start();

        AtomicLong longestNanos = new AtomicLong();
        until("the third node has caught up", () -> {
            long beganNanos = System.nanoTime();
            leader.commit("a small one");
            longestNanos.accumulateAndGet(System.nanoTime() - beganNanos, Math::max);
            return hasHead(2, leader);
        });

        assertThat(Duration.ofNanos(longestNanos.get())).isLessThan(LEASE);
    }

    /** With fsync before each answer, even the only node of one may restart. */
    @Test
    void aRestartOfTheOnlyNodeUnderAlwaysLosesNothing() throws Exception {
        SeatId alone = SeatId.of("house", "alone");
        RedisSettings single =
                RedisSettings.of(List.of(servers.get(0).address())).with(QuorumSettings.DEFAULT.withLease(LEASE));
        found(single, alone);
        RedisAuthority authority = RedisAuthority.open(single, List.of(alone));
        open.add(authority);
        Sequencer leader = Sequencer.take("n1", authority.seat(alone));
        leader.commit(5);

        servers.get(0).kill();
        servers.get(0).start();

        leader.commit("as if nothing had happened");
        assertThat(leader.ledger()).hasSize(6);
    }

    /** A resignation while nobody answers is unknown, not done. */
    @Test
    void resigningWithoutAQuorumIsUnknown() throws Exception {
        QuorumSeat seat = join();
        Sequencer leader = Sequencer.take("n1", seat);
        leader.commit(1);
        servers.get(0).kill();
        servers.get(1).kill();

        assertThat(Sequencer.await(seat.resign(leader.term()))).isInstanceOf(Resignation.Unknown.class);
    }
}
