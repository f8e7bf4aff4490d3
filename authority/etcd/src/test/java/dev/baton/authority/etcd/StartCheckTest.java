package dev.baton.authority.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.SeatEvent;
import dev.baton.authority.etcd.testing.EtcdServer;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.tck.Certificates;
import dev.baton.authority.tck.PatientContender;
import dev.baton.core.Claim;
import dev.baton.core.timing.Fault;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each fault of an etcd is named with its value, the expectation and the remedy. */
final class StartCheckTest {

    @TempDir
    private Path dir;

    private static StartCheck check(EtcdSettings settings) {
        return StartCheck.of(settings, "authority.");
    }

    private static String faults(EtcdSettings settings) {
        return String.join(
                "\n", check(settings).faults().stream().map(Fault::toString).toList());
    }

    @Test
    void aHealthyClusterHasNoFaultOneDeadMemberIsWarnedOfTwoAreFaults() {
        try (EtcdServers etcd = EtcdServers.start(3, dir)) {
            EtcdSettings settings = EtcdSettings.of(etcd.addresses());
            assertThat(check(settings)).isEqualTo(new StartCheck(List.of(), List.of()));

            etcd.get(0).kill();
            etcd.awaitLeader();
            StartCheck one = check(settings);
            assertThat(one.faults()).isEmpty();
            assertThat(one.warnings())
                    .singleElement()
                    .asString()
                    .contains(etcd.get(0).address() + " cannot be used")
                    .contains("Connection refused");

            etcd.get(1).kill();
            assertThat(check(settings).faults())
                    .extracting(Fault::key)
                    .contains("authority.endpoints " + etcd.get(0).address());
            assertThatThrownBy(() -> EtcdAuthority.open(settings))
                    .isInstanceOf(EtcdStartException.class)
                    .hasMessageContaining("a majority of running members");
        }
    }

    @Test
    void membersOfTwoClustersAreToldApart() {
        try (EtcdServers one = EtcdServers.start(1, dir.resolve("one"));
                EtcdServers other = EtcdServers.start(1, dir.resolve("other"))) {
            assertThat(faults(EtcdSettings.of(
                            List.of(one.get(0).address(), other.get(0).address()))))
                    .contains("members of different etcd clusters")
                    .contains("endpoints of one cluster");
        }
    }

    @Test
    void wrongLoginsAreNamedAndTheRightOneSurvivesRestartedMembers() {
        try (EtcdServers etcd = EtcdServers.start(1, dir)) {
            etcd.ctl("user", "add", "root:secret");
            etcd.ctl("role", "add", "baton");
            etcd.ctl("role", "grant-permission", "baton", "--prefix=true", "readwrite", "/baton/");
            etcd.ctl("user", "add", "baton:pass");
            etcd.ctl("user", "grant-role", "baton", "baton");
            etcd.ctl("user", "add", "stranger:pass");
            etcd.ctl("auth", "enable");
            EtcdSettings settings = EtcdSettings.of(etcd.addresses())
                    .withRequestTimeout(Duration.ofSeconds(3))
                    .withLease(Duration.ofSeconds(60));

            assertThat(faults(settings)).contains("user name is empty").contains("authority.user");
            assertThat(faults(settings.with(new Login("baton", "wrong"))))
                    .contains("invalid user ID or password")
                    .doesNotContain("wrong");
            assertThat(faults(settings.with(new Login("stranger", "pass"))))
                    .contains("permission denied")
                    .contains("readwrite /baton/");
            EtcdSettings right = settings.with(new Login("baton", "pass"));
            assertThat(check(right)).isEqualTo(new StartCheck(List.of(), List.of()));

            try (PatientContender holder = new PatientContender("n1", EtcdAuthority.openUnchecked(right))) {
                holder.watch();
                holder.take(new Claim.Vacancy());
                holder.commit(2);
                // Tokens live in memory: a restart makes them stale.
                etcd.all().forEach(EtcdServer::kill);
                etcd.all().forEach(EtcdServer::start);
                holder.commit(2);
                holder.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);
            }
        }
    }

    @Test
    void tlsWorksWithTheRightFilesAndIsExplainedWithoutThem() throws Exception {
        Certificates ours = new Certificates(dir.resolve("ours"));
        Certificates strange = new Certificates(dir.resolve("strange"));
        try (EtcdServers etcd = EtcdServers.of(1, dir.resolve("tls")).tls(ours).start();
                EtcdServers plain = EtcdServers.start(1, dir.resolve("plain"))) {
            EtcdSettings settings = EtcdSettings.of(etcd.addresses()).withLease(Duration.ofSeconds(60));
            TlsFiles right = files(ours, ours);
            assertThat(check(settings.with(right))).isEqualTo(new StartCheck(List.of(), List.of()));
            try (PatientContender holder =
                    new PatientContender("n1", EtcdAuthority.openUnchecked(settings.with(right)))) {
                holder.take(new Claim.Vacancy());
                holder.commit(2);
            }

            assertThat(faults(settings)).contains("if it speaks TLS, set authority.tls.trust");
            assertThat(faults(settings.with(files(strange, ours))))
                    .contains("a certificate signed by authority.tls.trust");
            assertThat(faults(settings.with(new TlsFiles(ours.authority(), Optional.empty()))))
                    .contains("authority.tls.certificate");
            assertThat(faults(EtcdSettings.of(plain.addresses()).with(right)))
                    .contains("TLS on that port")
                    .contains("or leave out authority.tls");
        }
    }

    private static TlsFiles files(Certificates trusted, Certificates own) {
        return new TlsFiles(trusted.authority(), Optional.of(new TlsFiles.ClientFiles(own.key(), own.certificate())));
    }

    @Test
    void anOldEtcdIsRefused() throws Exception {
        Server old = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new MaintenanceGrpc.MaintenanceImplBase() {
                    @Override
                    public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
                        answer.onNext(
                                StatusResponse.newBuilder().setVersion("3.3.27").build());
                        answer.onCompleted();
                    }
                })
                .addService(new KVGrpc.KVImplBase() {
                    @Override
                    public void range(RangeRequest request, StreamObserver<RangeResponse> answer) {
                        answer.onNext(RangeResponse.getDefaultInstance());
                        answer.onCompleted();
                    }
                })
                .build()
                .start();
        try {
            assertThat(faults(EtcdSettings.of(List.of("127.0.0.1:" + old.getPort()))))
                    .contains("etcd 3.3.27 (expected: 3.4 or later)");
        } finally {
            old.shutdownNow();
        }
    }

    @Test
    void settingsThatMakeNoSenseAreRefusedBeforeAnythingIsAsked() {
        EtcdSettings settings = EtcdSettings.of(List.of("http://a:1", "b", "c:1", "c:1"))
                .withRequestTimeout(Duration.ofMillis(1))
                .withUpkeep(Duration.ofSeconds(-1), -1)
                .with(new Login(" ", ""))
                .with(new TlsFiles(dir.resolve("gone.pem"), Optional.empty()));

        assertThat(check(settings).faults())
                .extracting(Fault::key)
                .contains(
                        "authority.endpoints",
                        "authority.request-timeout",
                        "authority.compact-after",
                        "authority.defragment-above",
                        "authority.user",
                        "authority.password",
                        "authority.tls.trust");
    }

    @Test
    void theLeaseIsRoundedUpToWholeSeconds() {
        EtcdSettings settings = EtcdSettings.of(List.of("a:1"));

        assertThat(settings.withLease(Duration.ofMillis(1)).leaseSeconds()).isEqualTo(1);
        assertThat(settings.withLease(Duration.ofSeconds(2)).leaseSeconds()).isEqualTo(2);
        assertThat(settings.withLease(Duration.ofMillis(2001)).leaseSeconds()).isEqualTo(3);
    }
}
