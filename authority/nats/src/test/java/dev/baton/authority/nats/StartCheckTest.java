package dev.baton.authority.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.nats.seat.SeatNames;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.nats.testing.Operator;
import dev.baton.authority.tck.Certificates;
import dev.baton.authority.tck.PatientContender;
import dev.baton.core.Claim;
import dev.baton.core.timing.Fault;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each fault of a NATS is named with its value, the expectation and the remedy. */
final class StartCheckTest {

    private static final SeatNames NAMES = SeatNames.of(PatientContender.SEAT);
    private static final StartCheck NOTHING_WRONG = new StartCheck(List.of(), List.of());
    private static final String GONE_DUMB = "has gone dumb";

    @TempDir
    private Path dir;

    private static StartCheck checkWithVersion(NatsSettings settings) {
        return StartCheck.of(settings, List.of(PatientContender.SEAT), "authority.");
    }

    /** Without what is said of the server's version, which is not for these tests to choose. */
    private static StartCheck check(NatsSettings settings) {
        StartCheck all = checkWithVersion(settings);
        return new StartCheck(
                all.faults(),
                all.warnings().stream()
                        .filter(warning -> !warning.contains(GONE_DUMB))
                        .toList());
    }

    private static String faults(NatsSettings settings) {
        return String.join(
                "\n", check(settings).faults().stream().map(Fault::toString).toList());
    }

    @Test
    void aHealthyClusterHasNoFaultOneDeadServerIsWarnedOfTwoAreFaults() {
        try (NatsServers nats = NatsServers.start(3, dir)) {
            NatsSettings settings = NatsSettings.of(nats.addresses());
            assertThat(check(settings)).isEqualTo(NOTHING_WRONG);

            nats.get(0).kill();
            nats.awaitJetStream();
            StartCheck one = check(settings);
            assertThat(one.faults()).isEmpty();
            assertThat(one.warnings())
                    .singleElement()
                    .asString()
                    .contains(nats.get(0).address() + " cannot be used");

            nats.get(1).kill();
            nats.get(2).kill();
            assertThatThrownBy(() -> NatsAuthority.open(settings, List.of(PatientContender.SEAT)))
                    .isInstanceOf(NatsStartException.class)
                    .hasMessageContaining("authority.servers " + nats.get(0).address())
                    .hasMessageContaining("start this nats-server, or correct its address");
        }
    }

    @Test
    void aDelayThatIsShorterThanAnElectionOfNatsIsWarnedOf() {
        try (NatsServers nats = NatsServers.start(3, dir)) {
            StartCheck check = check(NatsSettings.of(nats.addresses()).withLease(Duration.ofSeconds(3)));

            assertThat(check.faults()).isEmpty();
            assertThat(check.warnings())
                    .singleElement()
                    .asString()
                    .contains("PT3S is shorter than an election of NATS");
        }
    }

    @Test
    void serversThatDoNotNoticeDumbRoutesAreWarnedOfUnlessOneServerKeepsAll() throws Exception {
        try (NatsServers three = NatsServers.start(3, dir.resolve("three"));
                NatsServers one = NatsServers.start(1, dir.resolve("one"));
                Connection connection = Nats.connect("nats://" + three.get(0).address())) {
            String version = connection.getServerInfo().getVersion();
            boolean blind = connection.getServerInfo().isOlderThanVersion("2.9.16");

            assertThat(checkWithVersion(NatsSettings.of(three.addresses())).warnings())
                    .hasSize(blind ? 1 : 0)
                    .allMatch(warning -> warning.startsWith("nats-server " + version) && warning.contains(GONE_DUMB));
            assertThat(checkWithVersion(NatsSettings.of(one.addresses()).withReplicas(1)))
                    .isEqualTo(NOTHING_WRONG);
        }
    }

    @Test
    void aServerWithoutJetStreamOrWithSmallMessagesIsRefused() {
        try (NatsServers without = NatsServers.of(1, dir.resolve("without"))
                        .withoutJetStream()
                        .launch();
                NatsServers small = NatsServers.plain(dir.resolve("small")).start()) {
            assertThat(faults(NatsSettings.of(without.addresses())))
                    .contains("no JetStream")
                    .contains("start nats-server with -js");
            assertThat(faults(NatsSettings.of(small.addresses())))
                    .contains("max_payload: 1048576 (expected: 2097152 or more")
                    .contains("set max_payload: 2MB");
        }
    }

    @Test
    void anAccountWithoutJetStreamIsRefused() {
        try (NatsServers nats = NatsServers.of(1, dir)
                .with("accounts { A { jetstream: enabled, users: [{ user: a, password: p }] },"
                        + " B { users: [{ user: b, password: p }] } }")
                .launch()) {
            NatsSettings settings = NatsSettings.of(nats.addresses());

            assertThat(check(settings.with(new Login.ByPassword("a", "p")))).isEqualTo(NOTHING_WRONG);
            assertThat(faults(settings.with(new Login.ByPassword("b", "p")))).contains("an account with JetStream");
        }
    }

    @Test
    void moreReplicasThanServersAreRefused() {
        try (NatsServers nats = NatsServers.start(1, dir)) {
            assertThat(faults(NatsSettings.of(nats.addresses()).withReplicas(3)))
                    .contains("a single server (expected: 3 servers in one NATS cluster")
                    .contains("or replicas: 1");
        }
    }

    /** Each would have a stream of its own for the same seat, and so there would be two holders. */
    @Test
    void serversThatAreNotOneClusterAreRefusedAndNeverUsedTogether() {
        try (NatsServers one = NatsServers.start(1, dir.resolve("one"));
                NatsServers other = NatsServers.start(1, dir.resolve("other"));
                NatsServers cluster = NatsServers.start(3, dir.resolve("cluster"))) {
            NatsSettings two =
                    NatsSettings.of(List.of(one.get(0).address(), other.get(0).address()));
            NatsSettings mixed = NatsSettings.of(
                            List.of(cluster.get(0).address(), one.get(0).address()))
                    .withReplicas(3);

            assertThat(faults(two)).contains("a single server, one of 2 that are named");
            assertThat(faults(mixed)).contains(one.get(0).address() + ": a single server, one of 2 that are named");
            try (PatientContender unaware = new PatientContender("n1", NatsAuthority.openUnchecked(two))) {
                assertThat(unaware.ask(new Claim.Vacancy()).toString()).contains("expected: one of a cluster");
            }
        }
    }

    @Test
    void wrongLoginsAreNamedAndTheRightOneSurvivesARestart() {
        try (NatsServers nats = NatsServers.of(1, dir)
                .with("authorization { user: baton, password: pass }")
                .launch()) {
            NatsSettings settings = NatsSettings.of(nats.addresses())
                    .withRequestTimeout(Duration.ofSeconds(3))
                    .withLease(Duration.ofSeconds(60));

            assertThat(faults(settings)).contains("authority.user").contains("authority.credentials-file");
            assertThat(faults(settings.with(new Login.ByPassword("baton", "secret"))))
                    .containsIgnoringCase("authorization violation")
                    .doesNotContain("secret");
            NatsSettings right = settings.with(new Login.ByPassword("baton", "pass"));
            assertThat(check(right)).isEqualTo(NOTHING_WRONG);

            try (PatientContender holder = new PatientContender("n1", NatsAuthority.openUnchecked(right))) {
                holder.take(new Claim.Vacancy());
                holder.commit(2);
                nats.get(0).kill();
                nats.get(0).start();
                holder.commit(2);
            }
        }
    }

    @Test
    void aCredentialsFileOfTheRightOperatorIsEnough() throws Exception {
        Operator ours = new Operator();
        Operator strange = new Operator();
        try (NatsServers nats = NatsServers.of(1, dir.resolve("nats"))
                .with(ours.configuration())
                .launch()) {
            NatsSettings settings = NatsSettings.of(nats.addresses()).withLease(Duration.ofSeconds(60));
            Path file = ours.user(dir.resolve("ours.creds"));

            NatsSettings right = settings.with(new Login.ByCredentials(file));
            assertThat(check(right)).isEqualTo(NOTHING_WRONG);
            try (PatientContender holder = new PatientContender("n1", NatsAuthority.openUnchecked(right))) {
                holder.take(new Claim.Vacancy());
                holder.commit(2);
            }
            Path other = strange.user(dir.resolve("strange.creds"));
            assertThat(faults(settings.with(new Login.ByCredentials(other))))
                    .contains("the authority.user and authority.password-file, or the authority.credentials-file");
        }
    }

    @Test
    void tlsWorksWithTheRightFilesAndIsExplainedWithoutThem() throws Exception {
        Certificates ours = new Certificates(dir.resolve("ours"));
        Certificates strange = new Certificates(dir.resolve("strange"));
        try (NatsServers nats = NatsServers.of(1, dir.resolve("tls")).tls(ours).launch();
                NatsServers plain = NatsServers.start(1, dir.resolve("plain"))) {
            NatsSettings settings = NatsSettings.of(nats.addresses()).withLease(Duration.ofSeconds(60));
            TlsFiles right = files(ours, ours);
            assertThat(check(settings.with(right))).isEqualTo(NOTHING_WRONG);
            try (PatientContender holder =
                    new PatientContender("n1", NatsAuthority.openUnchecked(settings.with(right)))) {
                holder.take(new Claim.Vacancy());
                holder.commit(2);
            }

            assertThat(faults(settings)).contains("set authority.tls.trust");
            assertThat(faults(settings.with(files(strange, ours))))
                    .contains("a certificate signed by authority.tls.trust");
            assertThat(faults(settings.with(new TlsFiles(ours.authority(), Optional.empty()))))
                    .contains("authority.tls.certificate");
            assertThat(faults(NatsSettings.of(plain.addresses()).with(right))).contains("or leave out authority.tls");
            // The certificate names 127.0.0.1 and localhost alone.
            String byAnotherName = nats.get(0).address().replace("127.0.0.1", "127.0.0.2");
            assertThat(faults(NatsSettings.of(List.of(byAnotherName)).with(right)))
                    .isNotEmpty();
        }
    }

    private static TlsFiles files(Certificates trusted, Certificates own) {
        return new TlsFiles(trusted.authority(), Optional.of(new TlsFiles.ClientFiles(own.key(), own.certificate())));
    }

    @Test
    void streamsOfOthersAndWithForeignConfigurationAreRefused() throws Exception {
        try (NatsServers nats = NatsServers.start(3, dir);
                Connection other = nats.connect()) {
            NatsSettings settings = NatsSettings.of(nats.addresses());
            var streams = other.jetStreamManagement();

            streams.addStream(StreamConfiguration.builder()
                    .name("EVERYTHING")
                    .subjects("baton.>")
                    .build());
            assertThat(faults(settings)).contains("stream EVERYTHING").contains("collects " + NAMES.subject());
            streams.deleteStream("EVERYTHING");

            streams.addStream(StreamConfiguration.builder()
                    .name(NAMES.stream())
                    .subjects("orders")
                    .storageType(StorageType.Memory)
                    .maxAge(Duration.ofHours(1))
                    .build());
            assertThat(faults(settings))
                    .contains("subjects [orders] (expected: [" + NAMES.subject() + "]")
                    .contains("give the cluster another name")
                    .contains("replicas: 1 (expected: 3 or more")
                    .contains("storage: memory")
                    .contains("max age: PT1H");
            try (PatientContender unaware = new PatientContender("n1", NatsAuthority.openUnchecked(settings))) {
                assertThat(unaware.ask(new Claim.Vacancy()).toString()).contains("give the cluster another name");
            }
        }
    }

    @Test
    void settingsThatMakeNoSenseAreRefusedBeforeAnythingIsAsked() {
        NatsSettings settings = NatsSettings.of(List.of("nats://a:1", "b", "c:1", "c:1"))
                .withRequestTimeout(Duration.ofMillis(1))
                .withReplicas(2)
                .with(new Login.ByPassword(" ", ""))
                .with(new TlsFiles(dir.resolve("gone.pem"), Optional.empty()));

        assertThat(check(settings).faults())
                .extracting(Fault::key)
                .contains(
                        "authority.servers",
                        "authority.request-timeout",
                        "authority.replicas",
                        "authority.user",
                        "authority.password",
                        "authority.tls.trust");
        assertThat(check(settings.with(new Login.ByCredentials(dir.resolve("gone.creds"))))
                        .faults())
                .extracting(Fault::key)
                .contains("authority.credentials-file");
    }
}
