package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.authority.redis.quorum.QuorumSeat;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.authority.redis.quorum.Sequencer;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.authority.redis.testing.CuttableRoutes;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The failure table of the published design, row by row, on real Redis processes. Where our outcome is another one, the
 * comment says so.
 */
class FailureTableTest extends OnThreeRedis {

    /** For tests in which no lease is to end. */
    private static final Duration PATIENT = Duration.ofSeconds(20);

    FailureTableTest(@TempDir Path dir) {
        super(dir);
    }

    /** A leader that is cut off commits nothing any more; a follower takes over when its lease is over. */
    @Test
    void sequencerNetworkPartition() throws Exception {
        CuttableRoutes routes = new CuttableRoutes(servers.addresses());
        open.add(routes);
        Sequencer leader = Sequencer.take("n1", join(settings().withRoutes(routes.routes())));
        leader.commit(3);

        routes.cut();
        Entry lost = leader.draft("into the void");
        assertThat(leader.offer(lost)).isInstanceOfAny(Appended.Indeterminate.class, Appended.Unavailable.class);
        Sequencer successor = Sequencer.take("n2", join());
        successor.commit(3);
        routes.heal();

        awaitFenced(leader, lost);
        assertThat(successor.elected().predecessorEnded()).isEqualTo(Ending.LAPSED);
        assertThat(successor.ledger()).hasSize(6).doesNotContain(lost);
    }

    /** However long it slept, its first write tells it, and nothing was written. */
    @Test
    void zombieLeaderWrite() throws Exception {
        Sequencer zombie = Sequencer.take("n1", join());
        zombie.commit(3);
        Sequencer successor = Sequencer.take("n2", join());
        successor.commit(2);

        awaitFenced(zombie, zombie.draft("I still lead"));

        successor.commit("undisturbed");
        assertThat(successor.ledger()).hasSize(6);
    }

    /** One of three dies: nobody notices. The published quorum of three was three, so everything stopped. */
    @Test
    void redisNodeCrash() throws Exception {
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(3);

        servers.get(2).kill();
        leader.commit(5);
        servers.get(2).start();

        commitUntil(leader, "the third node has caught up", () -> hasHead(2, leader));
    }

    /** Leases that end early or late on the nodes' clocks change who tries, never who may. */
    @Test
    void clockSkew() throws Exception {
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(3);
        servers.all().forEach(server -> server.call("PEXPIRE", SeatKeys.of(SEAT).seat(), "1"));
        until(
                "the seat has ended on every node, far too early",
                () -> servers.all().stream()
                        .allMatch(server -> "0"
                                .equals(String.valueOf(
                                        server.call("EXISTS", SeatKeys.of(SEAT).seat())))));

        leader.commit("nobody has taken over, so nothing has happened");
        servers.all().forEach(server -> server.call("PEXPIRE", SeatKeys.of(SEAT).seat(), "1"));
        Sequencer successor = Sequencer.take("n2", join());

        awaitFenced(leader, leader.draft("by my clock I lead"));
        servers.all().forEach(server -> server.call("PERSIST", SeatKeys.of(SEAT).seat()));
        successor.commit("a lease that never ends does not stop anybody either");
        assertThat(successor.ledger()).hasSize(5);
    }

    /** Who cannot sign appends nothing; and who appends nothing loses the seat. There is no other heartbeat. */
    @Test
    void kmsOrSigningOutage() throws Exception {
        QuorumSeat seat = join();
        Sequencer leader = Sequencer.take("n1", seat);
        leader.commit(3);

        Sequencer successor = Sequencer.take("n2", join());

        assertThat(Sequencer.await(seat.look())).isInstanceOf(Look.Held.class);
        assertThat(successor.elected().predecessorEnded()).isEqualTo(Ending.LAPSED);
        assertThat(successor.head()).isEqualTo(leader.head());
    }

    @Test
    void multipleFollowersRaceToPromote() throws Exception {
        Sequencer.take("n0", join()).commit(2);
        List<QuorumSeat> seats = new ArrayList<>();
        for (int i = 1; i <= 5; i++) { // with a lease that does not end before the slowest has asked
            seats.add(join(settings().with(QuorumSettings.DEFAULT.withLease(PATIENT))));
        }

        List<CompletableFuture<Promotion>> races = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> untilDecided(seats.get(i - 1), "n" + i))
                .toList();
        List<Promotion> outcomes = races.stream().map(CompletableFuture::join).toList();

        List<Promotion> elected =
                outcomes.stream().filter(Promotion.Elected.class::isInstance).toList();
        assertThat(elected).as("%s", outcomes).hasSize(1);
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(seatingIn(outcome)).isEqualTo(((Promotion.Elected) elected.getFirst()).seating()));
    }

    private static CompletableFuture<Promotion> untilDecided(QuorumSeat seat, String node) {
        Candidate candidate =
                new Candidate(new Holder(new NodeId(node), new Incarnation(node.hashCode())), node + ":1");
        return CompletableFuture.supplyAsync(() -> {
            while (true) {
                Promotion promotion = Sequencer.await(seat.promote(new Claim.Vacancy(), candidate));
                boolean beforeTheRace = promotion instanceof Promotion.Held held
                        && held.by().term().node().equals(new NodeId("n0"));
                if (promotion instanceof Promotion.Elected || (promotion instanceof Promotion.Held && !beforeTheRace)) {
                    return promotion;
                }
            }
        });
    }

    private static Object seatingIn(Promotion promotion) {
        return promotion instanceof Promotion.Elected elected ? elected.seating() : ((Promotion.Held) promotion).by();
    }

    /** Without events, looking every 500 to 700 ms finds out all the same. */
    @Test
    void keyspaceNotificationMissed() throws Exception {
        QuorumSettings patient = QuorumSettings.DEFAULT.withLease(PATIENT);
        QuorumSeat follower = join(settings().with(patient));
        Sequencer leader = Sequencer.take("n1", join(settings().with(patient)));
        leader.commit(1);
        Vacancies vacancies = new Vacancies(follower);
        servers.all().forEach(server -> server.call("CONFIG", "SET", "notify-keyspace-events", ""));
        vacancies.awaitTaken();

        long resignedNanos = System.nanoTime();
        leader.resign();
        Duration noticed = Duration.ofNanos(vacancies.awaitVacated() - resignedNanos);

        assertThat(noticed)
                .as("the price of a missed event, and a busy machine; not the end of the lease")
                .isLessThan(PATIENT.dividedBy(2));
    }

    @Test
    void redisQuorumLoss() throws Exception {
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(3);

        servers.get(0).kill();
        servers.get(1).kill();
        Entry next = leader.draft("without a quorum");
        Appended outcome = leader.offer(next);
        Promotion other = Sequencer.await(join1().promote(
                        new Claim.Evidence(leader.term()),
                        new Candidate(new Holder(new NodeId("n2"), new Incarnation(2)), "n2:1")));
        servers.get(0).start();
        servers.get(1).start();

        assertThat(outcome).isInstanceOfAny(Appended.Indeterminate.class, Appended.Unavailable.class);
        assertThat(other).isInstanceOf(Promotion.Unavailable.class);
        Sequencer successor = Sequencer.take("n3", join());
        successor.commit("production resumes");
        assertThat(successor.ledger()).startsWith(leader.ledger().subList(0, 3).toArray(new Entry[0]));
    }

    /** A process that joined while a quorum was there. */
    private QuorumSeat join1() {
        RedisAuthority authority = RedisAuthority.openUnchecked(settings());
        open.add(authority);
        return authority.seat(SEAT);
    }

    /** The entry reached one node of three. If the next leader hears of it, it is carried over, unchanged. */
    @Test
    void partialBlockWriteThatIsSeenIsCarriedOver() throws Exception {
        Entry orphan = orphanOnTheFirstNode();
        servers.get(1).start();
        servers.get(2).kill();

        Sequencer successor = Sequencer.take("n2", join());

        assertThat(successor.head()).isEqualTo(orphan.asHead());
        assertThat(successor.ledger()).last().isEqualTo(orphan);
        servers.get(2).start();
        commitUntil(successor, "all nodes have the same", () -> hasHead(2, successor));
    }

    /** If it does not hear of it, the height is decided anew, and the orphan gives way: the published rule kept it. */
    @Test
    void partialBlockWriteThatIsNotSeenGivesWay() throws Exception {
        Entry orphan = orphanOnTheFirstNode();
        servers.get(0).kill();
        servers.get(1).start();
        servers.get(2).start();

        Sequencer successor = Sequencer.take("n2", join());
        Entry decided = successor.commit("decided without the first node");
        servers.get(0).start();
        commitUntil(successor, "the orphan has given way", () -> hasHead(0, successor));

        assertThat(decided.height()).isEqualTo(orphan.height());
        servers.get(1).kill();
        assertThat(Sequencer.take("n3", join(), new Claim.Evidence(successor.term()))
                        .ledger())
                .contains(decided)
                .doesNotContain(orphan);
    }

    private Entry orphanOnTheFirstNode() throws Exception {
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(3);
        // The two others may have decided the third entry.
        commitUntil(leader, "the first node has all of it", () -> hasHead(0, leader));
        servers.get(1).kill();
        servers.get(2).kill();
        Entry orphan = leader.draft("on one node only");
        assertThat(leader.offer(orphan)).isInstanceOf(Appended.Indeterminate.class);
        until(
                "the first node has the orphan",
                () -> tipOn(0).equals(orphan.height().toString()));
        return orphan;
    }

    /**
     * A node that comes back with nothing has no vote, so it cannot help to decide a committed height anew; the leader
     * replaces it. The published design let it vote, and forked.
     */
    @Test
    void redisNodeDataLoss() throws Exception {
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(3);
        servers.get(2).kill();
        Entry committed = leader.commit("on the first two nodes");
        servers.get(2).start();
        servers.get(1).call("FLUSHALL");
        servers.get(0).kill();

        Promotion withBlankVote = Sequencer.await(join1().promote(
                        new Claim.Evidence(leader.term()),
                        new Candidate(new Holder(new NodeId("n2"), new Incarnation(2)), "n2:1")));
        assertThat(withBlankVote).isInstanceOf(Promotion.Unavailable.class);

        servers.get(0).start();
        Sequencer successor = Sequencer.take("n3", join());
        assertThat(successor.head()).isEqualTo(committed.asHead());
        commitUntil(successor, "the node is a member again, with all there is", () -> hasHead(1, successor));
    }

    /** A candidate that got one node only raised its promise there. Nobody is harmed, and the next epoch is above. */
    @Test
    void epochDivergenceAcrossNodes() throws Exception {
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(2);
        QuorumSeat candidate = join();
        servers.get(1).kill();
        servers.get(2).kill();
        for (int i = 0; i < 3; i++) {
            Sequencer.await(candidate.promote(
                    new Claim.Evidence(leader.term()),
                    new Candidate(new Holder(new NodeId("n2"), new Incarnation(2)), "n2:1")));
        }
        servers.get(1).start();
        servers.get(2).start();

        leader.commit("two nodes of three still hear the leader");
        Sequencer successor = Sequencer.take("n3", join());
        successor.commit("all three hear the next one");

        assertThat(successor.term().epoch().value())
                .isGreaterThan(leader.term().epoch().value() + 1);
        commitUntil(successor, "all nodes have the same", () -> hasHead(0, successor) && hasHead(1, successor));
    }

    @Test
    void nodeRejoinsAfterPartition() throws Exception {
        Sequencer first = Sequencer.take("n1", join());
        first.commit(2);
        servers.get(2).pause();
        first.commit(2);
        Sequencer second = Sequencer.take("n2", join(), new Claim.Evidence(first.term()));
        second.commit(20);

        servers.get(2).resume();

        commitUntil(
                second,
                "it has the new epoch and the whole ledger",
                () -> hasHead(2, second)
                        && second.term()
                                .epoch()
                                .toString()
                                .equals(String.valueOf(servers.get(2)
                                        .call("HGET", SeatKeys.of(SEAT).state(), "promised"))));
    }
}
