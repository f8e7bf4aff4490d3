package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.tck.Certificates;
import dev.baton.core.Claim;
import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.evidence.EvidenceCounts;
import dev.baton.node.evidence.HolderWatch;
import dev.baton.node.evidence.WatchedSeat;
import dev.baton.node.presence.PeerChannels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed, stopped, ended and started again: which of it is evidence, and what comes of it. */
@Timeout(90)
class EvidenceProcessTest {

    /** Nobody takes over because of this lease: a test would time out before. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

    private static final Optional<NodeConfig.Tls> PLAIN = Optional.empty();

    @TempDir
    Path folder;

    private @SuppressWarnings("NullAway.Init") TestCluster cluster;
    private final BlockingQueue<Term> evidence = new LinkedBlockingQueue<>();

    @BeforeEach
    void prepare() throws IOException {
        cluster = TestCluster.inMemory(folder, LONG_LEASE, "n1", "n2");
    }

    private ChildNode startChild() throws IOException {
        return ChildNode.start(folder, cluster.yaml("n1"), cluster.grpcAddress("n1"), PLAIN);
    }

    /** Watches a seat that the child is said to hold. */
    private HolderWatch watch(Term term, String address, Optional<NodeConfig.Tls> tls) throws IOException {
        HolderWatch watch = new HolderWatch(
                new ClusterId("demo"),
                new NodeId("n2"),
                List.of(new WatchedSeat(() -> Optional.of(new Seating(term, address)), evidence::add)),
                PeerChannels.factory(tls));
        watch.start();
        return watch;
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5));
    }

    private static void awaitAttended(EvidenceCounts counts, int times) {
        patiently().until(() -> counts.attended() == times);
    }

    private void expectEvidence(ChildNode child, Term term) throws InterruptedException {
        long killedNanos = System.nanoTime();
        child.kill();
        Term gone = evidence.poll(30, TimeUnit.SECONDS);
        Duration took = Duration.ofNanos(System.nanoTime() - killedNanos);

        assertThat(gone).isEqualTo(term);
        assertThat(took).as("at once, and not after a while of silence").isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void aKilledProcessIsEvidenceAtOnceAndStaysSoWhenItIsStartedAgain() throws Exception {
        try (ChildNode child = startChild()) {
            Term term = new Term(new Epoch(7), child.holder());
            try (HolderWatch watch = watch(term, cluster.grpcAddress("n1"), PLAIN)) {
                awaitAttended(watch.counts(), 1);

                expectEvidence(child, term);

                try (ChildNode again = startChild()) {
                    assertThat(again.holder().node()).isEqualTo(term.node());
                    assertThat(again.holder()).isNotEqualTo(term.holder());
                    evidence.clear(); // from here on, somebody answers
                    assertThat(evidence.poll(30, TimeUnit.SECONDS)).isEqualTo(term);
                }
                assertThat(watch.counts().found()).isEqualTo(1);
                assertThat(watch.counts().dismissed()).isZero();
            }
        }
    }

    @Test
    void aProcessThatWasNeverAttendedIsNoEvidence() throws Exception {
        try (ChildNode child = startChild()) {
            Holder before = new Holder(child.holder().node(), new Incarnation(1));
            try (HolderWatch watch = watch(new Term(new Epoch(7), before), cluster.grpcAddress("n1"), PLAIN)) {
                patiently().until(() -> watch.counts().tried() > 1);
                child.kill();
                long tried = watch.counts().tried();
                patiently().until(() -> watch.counts().tried() > tried + 1);

                assertThat(watch.counts().attended()).isZero();
                assertThat(watch.counts().probes()).isZero();
                assertThat(evidence).isEmpty();
            }
        }
    }

    @Test
    void aFrozenProcessIsNeverEvidence() throws Exception {
        int port = Integer.parseInt(cluster.grpcAddress("n1").replaceFirst(".*:", ""));
        try (ChildNode child = startChild();
                Relay relay = new Relay(port);
                HolderWatch watch = watch(new Term(new Epoch(7), child.holder()), relay.address(), PLAIN)) {
            awaitAttended(watch.counts(), 1);

            child.freeze();
            await().during(Duration.ofSeconds(1))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> evidence.isEmpty() && watch.counts().probes() == 0);

            // Even if its connection closes: whoever probes now meets silence.
            relay.cut();
            patiently().until(() -> watch.counts().dismissed() == 1);
            assertThat(watch.counts().probes()).isPositive();

            child.thaw();
            awaitAttended(watch.counts(), 2);
            assertThat(evidence).isEmpty();
            assertThat(watch.counts().found()).isZero();
        }
    }

    @Test
    void aProcessThatAnswersOnANewConnectionIsAttendedAgain() throws Exception {
        int port = Integer.parseInt(cluster.grpcAddress("n1").replaceFirst(".*:", ""));
        try (ChildNode child = startChild();
                Relay relay = new Relay(port);
                HolderWatch watch = watch(new Term(new Epoch(7), child.holder()), relay.address(), PLAIN)) {
            for (int times = 1; times <= 3; times++) {
                awaitAttended(watch.counts(), times);
                relay.cut();
            }
            awaitAttended(watch.counts(), 4);

            assertThat(watch.counts().dismissed()).isEqualTo(3);
            assertThat(evidence).isEmpty();
        }
    }

    @Test
    void aProcessThatEndsInOrderIsNoEvidence() throws Exception {
        try (ChildNode child = startChild();
                HolderWatch watch = watch(new Term(new Epoch(7), child.holder()), cluster.grpcAddress("n1"), PLAIN)) {
            awaitAttended(watch.counts(), 1);

            child.terminate();

            long tried = watch.counts().tried();
            patiently().until(() -> watch.counts().tried() > tried + 1);
            assertThat(watch.counts().probes()).isZero();
            assertThat(evidence).isEmpty();
        }
    }

    @Test
    void withTlsAKilledProcessIsEvidenceToo() throws Exception {
        Certificates made = new Certificates(folder.resolve("certificates"));
        NodeConfig.Tls tls = new NodeConfig.Tls(made.certificate(), made.key(), made.authority());
        String yaml = cluster.yaml("n1")
                + "tls: {certificate: \"%s\", key: \"%s\", trust: \"%s\"}\n"
                        .formatted(tls.certificate(), tls.key(), tls.trust());
        String address = cluster.grpcAddress("n1");
        try (ChildNode child = ChildNode.start(folder, yaml, address, Optional.of(tls))) {
            Term term = new Term(new Epoch(7), child.holder());
            try (HolderWatch watch = watch(term, address, Optional.of(tls))) {
                awaitAttended(watch.counts(), 1);

                expectEvidence(child, term);
            }
        }
    }

    /** Seats the child as an engine would, so that the others know it as the holder. */
    private Term seat(ChildNode child) {
        Promotion promotion = cluster.connect("n1")
                .seat(SeatId.of("demo", "blocks"))
                .promote(new Claim.Vacancy(), new Candidate(child.holder(), cluster.grpcAddress("n1")))
                .toCompletableFuture()
                .join();
        return ((Promotion.Elected) promotion).seating().term();
    }

    private static void awaitReadyFollower(Node node, Term term) {
        patiently()
                .until(() -> node.seats().getFirst().status().readiness().isReady()
                        && node.seats()
                                .getFirst()
                                .status()
                                .currentHolder()
                                .map(Seating::term)
                                .equals(Optional.of(term)));
    }

    @Test
    void aReadyFollowerTakesTheSeatOverLongBeforeTheLeaseEnds() throws Exception {
        try (ChildNode child = startChild();
                TestCluster nodes = cluster) {
            Term term = seat(child);
            Node follower = nodes.start("n2");
            awaitReadyFollower(follower, term);
            patiently().until(() -> follower.metrics().contains("\nbaton_holders_attended 1"));

            child.kill();

            patiently().until(() -> follower.seats().getFirst().status().leads());
            assertThat(follower.seats().getFirst().milestones().passed())
                    .extracting(RecentMilestones.Passed::milestone)
                    .containsExactly(
                            RecentMilestones.Milestone.EVIDENCE,
                            RecentMilestones.Milestone.ASKED,
                            RecentMilestones.Milestone.ELECTED,
                            RecentMilestones.Milestone.RECOVERED,
                            RecentMilestones.Milestone.OPENED);
            assertThat(follower.metrics())
                    .containsPattern("(?m)^baton_evidence_found_total 1")
                    .containsPattern("(?m)^baton_evidence_dismissed_total 0");
        }
    }

    @Test
    void aFollowerThatMayNotActOnEvidenceWaitsForTheLease() throws Exception {
        try (ChildNode child = startChild();
                TestCluster nodes = cluster) {
            Term term = seat(child);
            Node follower = nodes.start(
                    "n2", yaml -> yaml.replace("    sequencer:\n", "    evidence: false\n    sequencer:\n"));
            awaitReadyFollower(follower, term);
            patiently().until(() -> follower.peers().presentCount() == 1);

            child.kill();

            patiently().until(() -> follower.peers().presentCount() == 0);
            assertThat(follower.seats().getFirst().status().currentHolder().map(Seating::term))
                    .contains(term);
            assertThat(follower.seats().getFirst().milestones().passed()).isEmpty();
        }
    }
}
