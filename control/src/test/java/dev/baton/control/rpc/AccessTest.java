package dev.baton.control.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.control.access.Call;
import dev.baton.control.access.Policy;
import dev.baton.control.access.Role;
import dev.baton.control.certs.DevelopmentCertificates;
import dev.baton.control.certs.DevelopmentCertificates.Use;
import dev.baton.wire.admin.v1.CompleteHandoffRequest;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.admin.v1.PrepareHandoffRequest;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import dev.baton.wire.control.v1.AuditServiceGrpc;
import dev.baton.wire.control.v1.BreakGlassServiceGrpc;
import dev.baton.wire.control.v1.BreakRequest;
import dev.baton.wire.control.v1.ListRequest;
import dev.baton.wire.control.v1.MendRequest;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INV-19: whom the listener lets in, by certificate, role and call. */
class AccessTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Policy USUAL = new Policy(Map.of(), Policy.USUAL_GRANTS);

    /** What a client may show. */
    enum Shown {
        NO_CERTIFICATE,
        WRONG_CA,
        EXPIRED,
        WRONG_SAN,
        RIGHT
    }

    @TempDir
    Path folder;

    private Path certs = Path.of("");
    private ControlledCluster cluster;

    @BeforeEach
    void start() throws Exception {
        certs = folder.resolve("certs");
        Instant tomorrow = Instant.now().plus(DAY);
        DevelopmentCertificates authority = DevelopmentCertificates.found(certs, "demo", DAY);
        authority.issue("server", Use.SERVER, List.of("127.0.0.1", "localhost"), tomorrow);
        DevelopmentCertificates foreign = DevelopmentCertificates.found(folder.resolve("foreign"), "demo", DAY);
        StringBuilder policy = new StringBuilder("identities:\n");
        for (Role role : Role.values()) {
            String identity = "baton://demo/" + role.word();
            policy.append("  \"")
                    .append(identity)
                    .append("\": ")
                    .append(role.word())
                    .append('\n');
            authority.issue(role.word(), Use.CLIENT, List.of(identity), tomorrow);
            authority.issue(
                    role.word() + "-expired",
                    Use.CLIENT,
                    List.of(identity),
                    Instant.now().minusSeconds(60));
            authority.issue(role.word() + "-san", Use.CLIENT, List.of(identity + "-impostor"), tomorrow);
            foreign.issue(role.word(), Use.CLIENT, List.of(identity), tomorrow);
        }
        Files.writeString(folder.resolve("policy.yaml"), policy);
        cluster = new ControlledCluster(folder);
        startNode("n1");
        cluster.awaitLeader("n1");
        startNode("n2");
    }

    private void startNode(String name) throws IOException {
        cluster.start(
                name,
                Optional.of(folder.resolve("policy.yaml")),
                Optional.of(new ControlPlane.Tls(
                        certs.resolve("server.crt"), certs.resolve("server.key"), certs.resolve("ca.crt"))),
                ControlledCluster.GENEROUS);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private ChannelCredentials credentials(Role role, Shown shown) throws IOException {
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder()
                .trustManager(certs.resolve("ca.crt").toFile());
        Optional<Path> file = switch (shown) {
            case NO_CERTIFICATE -> Optional.empty();
            case WRONG_CA -> Optional.of(folder.resolve("foreign").resolve(role.word()));
            case EXPIRED -> Optional.of(certs.resolve(role.word() + "-expired"));
            case WRONG_SAN -> Optional.of(certs.resolve(role.word() + "-san"));
            case RIGHT -> Optional.of(certs.resolve(role.word()));
        };
        if (file.isPresent()) {
            builder.keyManager(
                    Path.of(file.get() + ".crt").toFile(),
                    Path.of(file.get() + ".key").toFile());
        }
        return builder.build();
    }

    private ManagedChannel channel(Role role, Shown shown) throws IOException {
        return cluster.channel("n1", credentials(role, shown));
    }

    /** A request of each kind that is refused further in, so that nothing changes, whoever may send it. */
    private static Status.Code ask(ManagedChannel channel, Call call) {
        ControlServiceGrpc.ControlServiceBlockingStub control = ControlServiceGrpc.newBlockingStub(channel);
        BreakGlassServiceGrpc.BreakGlassServiceBlockingStub glass = BreakGlassServiceGrpc.newBlockingStub(channel);
        return Codes.of(() -> switch (call) {
            case HEALTH -> control.health(HealthRequest.getDefaultInstance());
            case STATUS -> control.status(StatusRequest.getDefaultInstance());
            case START -> control.startSequencer(StartSequencerRequest.getDefaultInstance());
            case STOP -> control.stopSequencer(StopSequencerRequest.getDefaultInstance());
            case FORCE ->
                control.stopSequencer(StopSequencerRequest.newBuilder()
                        .setForce(true)
                        .setSeat("none")
                        .build());
            case PREPARE ->
                control.prepareHandoff(
                        PrepareHandoffRequest.newBuilder().setTargetId("n2").build());
            case COMPLETE -> control.completeHandoff(CompleteHandoffRequest.getDefaultInstance());
            case AUDIT -> AuditServiceGrpc.newBlockingStub(channel).list(ListRequest.getDefaultInstance());
            case BREAK -> glass.break_(BreakRequest.getDefaultInstance());
            case MEND -> glass.mend(MendRequest.getDefaultInstance());
        });
    }

    private static Status.Code expected(Role role, Call call, Shown shown) {
        boolean whole = role == Role.BREAK_GLASS
                && switch (call) {
                    case START, STOP, FORCE, PREPARE, COMPLETE -> true;
                    case HEALTH, STATUS, AUDIT, BREAK, MEND -> false;
                };
        if (shown != Shown.RIGHT || whole || !USUAL.allows(role, call)) {
            return Status.Code.PERMISSION_DENIED;
        }
        return switch (call) {
            case HEALTH, STATUS, AUDIT, MEND -> Status.Code.OK;
            case START, STOP, PREPARE, COMPLETE -> Status.Code.FAILED_PRECONDITION;
            case FORCE -> Status.Code.NOT_FOUND;
            case BREAK -> Status.Code.INVALID_ARGUMENT;
        };
    }

    @Test
    void everyRoleAndCallAndCertificateGetsItsStatus() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Role role : Role.values()) {
            for (Shown shown : Shown.values()) {
                ManagedChannel channel = channel(role, shown);
                for (Call call : Call.values()) {
                    Status.Code expected = expected(role, call, shown);
                    Status.Code actual = ask(channel, call);
                    if (actual != expected) {
                        wrong.add(role + " " + call + " " + shown + ": " + actual + " (expected: " + expected + ")");
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(cluster.blocks("n1").status().leads()).isTrue();
    }

    @Test
    void onlyThoseWhoMaySteerGetALeaseToken() throws IOException {
        for (Role role : Role.values()) {
            assertThat(ControlServiceGrpc.newBlockingStub(channel(role, Shown.RIGHT))
                            .status(StatusRequest.getDefaultInstance())
                            .getLeaseToken()
                            .isEmpty())
                    .as(role.word())
                    .isEqualTo(role == Role.OBSERVER);
        }
    }

    @Test
    void aChangedPolicyCountsAtOnceOnOpenConnectionsAndABrokenOneChangesNothing() throws IOException {
        ManagedChannel channel = channel(Role.OPERATOR, Shown.RIGHT);
        assertThat(ask(channel, Call.STATUS)).isEqualTo(Status.Code.OK);

        Files.writeString(folder.resolve("policy.yaml"), "identities: [broken");
        Files.writeString(folder.resolve("policy.yaml"), "identities:\n  \"baton://demo/agent\": agent\n");
        await().until(() -> ask(channel, Call.STATUS) == Status.Code.PERMISSION_DENIED);

        Files.writeString(folder.resolve("policy.yaml"), "identities:\n  nobody: emperor\n");
        ManagedChannel agent = channel(Role.AGENT, Shown.RIGHT);
        await().during(Duration.ofMillis(500)).until(() -> ask(agent, Call.STATUS) == Status.Code.OK);
    }

    @Test
    void aNewAuthorityOfClientsCountsAtOnceOnOpenConnections() throws IOException {
        ManagedChannel before = channel(Role.OPERATOR, Shown.RIGHT);
        ManagedChannel after = channel(Role.OPERATOR, Shown.WRONG_CA);
        assertThat(ask(before, Call.STATUS)).isEqualTo(Status.Code.OK);
        assertThat(ask(after, Call.STATUS)).isEqualTo(Status.Code.PERMISSION_DENIED);

        Files.writeString(
                certs.resolve("ca.crt"),
                Files.readString(folder.resolve("foreign").resolve("ca.crt")));

        await().until(() -> ask(after, Call.STATUS) == Status.Code.OK);
        assertThat(ask(before, Call.STATUS)).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aNewCertificateOfTheListenerIsShownToNewConnections() throws Exception {
        assertThat(ask(channel(Role.OPERATOR, Shown.RIGHT), Call.STATUS)).isEqualTo(Status.Code.OK);
        DevelopmentCertificates renewed = DevelopmentCertificates.found(folder.resolve("renewed"), "renewed", DAY);
        renewed.issue("server", Use.SERVER, List.of("127.0.0.1"), Instant.now().plus(DAY));
        for (String file : List.of("server.key", "server.crt")) {
            Files.writeString(
                    certs.resolve(file),
                    Files.readString(folder.resolve("renewed").resolve(file)));
        }
        ChannelCredentials trusting = TlsChannelCredentials.newBuilder()
                .trustManager(folder.resolve("renewed").resolve("ca.crt").toFile())
                .keyManager(
                        certs.resolve("operator.crt").toFile(),
                        certs.resolve("operator.key").toFile())
                .build();

        await().atMost(Duration.ofSeconds(20))
                .until(() -> ask(cluster.channel("n1", trusting), Call.STATUS) == Status.Code.OK);
    }

    @Test
    void brokenGlassNeedsAReasonOpensEverythingIsShownAndIsMended() throws IOException {
        ManagedChannel channel = channel(Role.BREAK_GLASS, Shown.RIGHT);
        BreakGlassServiceGrpc.BreakGlassServiceBlockingStub glass = BreakGlassServiceGrpc.newBlockingStub(channel);
        ControlServiceGrpc.ControlServiceBlockingStub control = ControlServiceGrpc.newBlockingStub(channel);
        StopSequencerRequest force =
                StopSequencerRequest.newBuilder().setForce(true).build();
        Codes.assertRefused(Status.Code.PERMISSION_DENIED, "the glass is whole", () -> control.stopSequencer(force));

        var unused = glass.break_(
                BreakRequest.newBuilder().setReason("fire").setSeconds(60).build());
        assertThat(control.status(StatusRequest.getDefaultInstance()).getBreakGlass())
                .isEqualTo("broken by baton://demo/break-glass: fire");
        assertThat(cluster.plane("n1").figures().glassBroken()).isTrue();
        assertThat(control.stopSequencer(force).getStopped()).isTrue();

        assertThat(ControlServiceGrpc.newBlockingStub(channel(Role.OPERATOR, Shown.RIGHT))
                        .status(StatusRequest.getDefaultInstance())
                        .getStopped())
                .contains("stopped by baton://demo/break-glass");
        assertThat(BreakGlassServiceGrpc.newBlockingStub(channel(Role.OPERATOR, Shown.RIGHT))
                        .mend(MendRequest.getDefaultInstance())
                        .getWasOpen())
                .isTrue();
        assertThat(cluster.plane("n1").figures().glassBroken()).isFalse();
        Codes.assertRefused(Status.Code.PERMISSION_DENIED, "the glass is whole", () -> control.stopSequencer(force));
    }

    @Test
    void aDenialIsWrittenDownWithTheCertificateThatWasShown() throws IOException {
        cluster.awaitAudit();
        assertThat(ask(channel(Role.OBSERVER, Shown.RIGHT), Call.STOP)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(ask(channel(Role.OPERATOR, Shown.WRONG_CA), Call.STOP)).isEqualTo(Status.Code.PERMISSION_DENIED);

        AuditServiceGrpc.AuditServiceBlockingStub audit =
                AuditServiceGrpc.newBlockingStub(channel(Role.OBSERVER, Shown.RIGHT));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(
                                audit.list(ListRequest.getDefaultInstance()).getLinesList())
                        .anyMatch(line -> line.contains("baton://demo/observer")
                                && line.contains("PERMISSION_DENIED")
                                && line.matches(".*\"certificate\":\"[0-9a-f]{64}\".*"))
                        .anyMatch(line -> line.contains("baton://demo/operator") && line.contains("not believed")));
    }
}
