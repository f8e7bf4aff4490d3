package dev.baton.control.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.baton.control.audit.AuditRecord;
import dev.baton.control.audit.Book;
import dev.baton.control.audit.ChainedLine;
import dev.baton.core.standing.Standing;
import dev.baton.wire.admin.v1.CompleteHandoffRequest;
import dev.baton.wire.admin.v1.CompleteHandoffResponse;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.admin.v1.HealthResponse;
import dev.baton.wire.admin.v1.PrepareHandoffRequest;
import dev.baton.wire.admin.v1.PrepareHandoffResponse;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StartSequencerResponse;
import dev.baton.wire.admin.v1.StatusResponse;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import dev.baton.wire.control.v1.AuditServiceGrpc;
import dev.baton.wire.control.v1.ListRequest;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the six calls do, between two nodes. */
class SteeringTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private ControlledCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new ControlledCluster(folder).start("n1");
        cluster.awaitLeader("n1");
        cluster.start("n2");
        cluster.awaitAudit();
        await().atMost(PATIENCE)
                .until(() -> cluster.blocks("n2").status().readiness().isReady()
                        && !cluster.status("n2").getLeaseToken().isEmpty()
                        && cluster.status("n2").getTerm().getTerm() > 0);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private ByteString token(String node) {
        return cluster.status(node).getLeaseToken();
    }

    private StopSequencerRequest.Builder stop(String node) {
        return StopSequencerRequest.newBuilder()
                .setLeaseToken(token(node))
                .setReason("disk exchange")
                .setRequester("alice");
    }

    private PrepareHandoffResponse prepare(long validMillis) {
        return cluster.stub("n1")
                .prepareHandoff(PrepareHandoffRequest.newBuilder()
                        .setLeaseToken(token("n1"))
                        .setTargetId("n2")
                        .setValidMillis(validMillis)
                        .setReason("upgrade")
                        .build());
    }

    private static CompleteHandoffRequest complete(ByteString ticket) {
        return CompleteHandoffRequest.newBuilder().setHandoffTicket(ticket).build();
    }

    @Test
    void statusAndHealthTellWhatTheNodeKnows() {
        StatusResponse status = cluster.status("n1");
        HealthResponse health = cluster.stub("n1").health(HealthRequest.getDefaultInstance());

        assertThat(status.getSequencerActive()).isTrue();
        assertThat(status.getBuildVersion()).isEqualTo("1.2.3");
        assertThat(status.getLeaderHint()).startsWith("n1 at 127.0.0.1:");
        assertThat(status.getTerm().getLeaderId()).isEqualTo("n1");
        assertThat(status.getTerm().getTerm()).isPositive();
        assertThat(health.getHealthy()).isTrue();
        assertThat(health.getL2Number()).isPositive();
        assertThat(health.getL2Hash().size()).isEqualTo(32);
        assertThat(health.getL1Origin()).isEqualTo("layer-7");
        assertThat(health.getDaHeight()).isEqualTo(7);
        assertThat(health.getPeerCount()).isEqualTo(1);
    }

    @Test
    void aStoppedHolderFinishesItsEntryGivesWayAndStandsByOnceItIsStarted() {
        assertThat(cluster.stub("n1").stopSequencer(stop("n1").build()).getStopped())
                .isTrue();
        assertThat(cluster.blocks("n1").status().standing().name()).isEqualTo(Standing.Name.PAUSED);
        assertThat(cluster.status("n1").getStopped()).isEqualTo("stopped by loopback: disk exchange");
        cluster.awaitLeader("n2");
        await().atMost(PATIENCE)
                .until(() -> cluster.status("n1").getTerm().getLeaderId().equals("n2"));

        StartSequencerResponse started = cluster.stub("n1")
                .startSequencer(StartSequencerRequest.newBuilder()
                        .setFromUnsafeHead(true)
                        .setLeaseToken(token("n1"))
                        .build());

        assertThat(started.getActivated()).isFalse();
        assertThat(started.getTerm().getLeaderId()).isEqualTo("n2");
        assertThat(cluster.status("n1").getStopped()).isEmpty();
    }

    @Test
    void aNodeThatWasStoppedDoesNotLeadAgainAfterARestartUntilItIsStarted() throws IOException {
        cluster.stop("n2");
        assertThat(cluster.stub("n1")
                        .stopSequencer(stop("n1").setForce(false).build())
                        .getStopped())
                .isTrue();
        cluster.stop("n1");
        cluster.start("n1");
        await().atMost(PATIENCE).until(() -> cluster.blocks("n1").status().standing() instanceof Standing.Paused);
        await().during(ControlledCluster.TIMES.takeoverDelay().plusMillis(500))
                .atMost(PATIENCE)
                .until(() -> !cluster.blocks("n1").status().leads());

        StartSequencerResponse started = cluster.stub("n1")
                .startSequencer(StartSequencerRequest.newBuilder()
                        .setFromUnsafeHead(true)
                        .setLeaseToken(token("n1"))
                        .build());

        assertThat(started.getActivated()).isTrue();
        assertThat(started.getTerm().getLeaderId()).isEqualTo("n1");
    }

    @Test
    void aStartWhileTheNodeWorksAlreadyExists() {
        Codes.assertRefused(
                Status.Code.ALREADY_EXISTS,
                "n1 works already",
                () -> cluster.stub("n1")
                        .startSequencer(StartSequencerRequest.newBuilder()
                                .setLeaseToken(token("n1"))
                                .build()));
    }

    @Test
    void aStartFromTheSafeHeadWaitsForWhatIsCommittedToBePublished() {
        cluster.stub("n1").stopSequencer(stop("n1").build());
        cluster.awaitLeader("n2");
        await().atMost(PATIENCE)
                .until(() -> cluster.status("n1").getTerm().getLeaderId().equals("n2"));
        cluster.safeHeight("n1", 0);
        StartSequencerRequest fromSafe =
                StartSequencerRequest.newBuilder().setLeaseToken(token("n1")).build();

        Codes.assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "are not published",
                () -> cluster.stub("n1").startSequencer(fromSafe));
        assertThat(cluster.status("n1").getStopped()).isNotEmpty();

        cluster.safeHeight("n1", Long.MAX_VALUE);
        assertThat(cluster.stub("n1").startSequencer(fromSafe).getActivated()).isFalse();
    }

    @Test
    void aTokenOfATermThatIsOverMovesNothing() {
        ByteString old = token("n1");
        CompleteHandoffResponse taken =
                cluster.stub("n2").completeHandoff(complete(prepare(0).getHandoffTicket()));
        assertThat(taken.getActivated()).isTrue();

        Codes.assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "lease_token: of term",
                () -> cluster.stub("n2")
                        .stopSequencer(StopSequencerRequest.newBuilder()
                                .setLeaseToken(old)
                                .build()));
        assertThat(cluster.blocks("n2").status().leads()).isTrue();
    }

    @Test
    void aHandoffGoesOnFromTheHeadAtWhichTheHolderStayedStill() {
        PrepareHandoffResponse prepared = prepare(0);
        assertThat(cluster.status("n1").getStanding()).isEqualTo("QUIESCING");
        CompleteHandoffResponse completed = cluster.stub("n2").completeHandoff(complete(prepared.getHandoffTicket()));

        assertThat(completed.getActivated()).isTrue();
        assertThat(completed.getTerm().getLeaderId()).isEqualTo("n2");
        assertThat(completed.getTerm().getTerm())
                .isGreaterThan(prepared.getTerm().getTerm());
        assertThat(completed.getUnsafe().getL2Number())
                .isGreaterThan(prepared.getUnsafe().getL2Number());
    }

    @Test
    void aTicketThatNobodyUsesReturnsTheHolderToWorkAndIsWorthlessThen() {
        PrepareHandoffResponse prepared = prepare(300);
        await().atMost(PATIENCE)
                .until(() -> cluster.blocks("n1").status().standing().name() == Standing.Name.LEADER);

        Codes.assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "the engine did not accept the ticket",
                () -> cluster.stub("n2").completeHandoff(complete(prepared.getHandoffTicket())));
        assertThat(cluster.blocks("n1").status().leads()).isTrue();
    }

    @Test
    void aTicketIsRefusedWhenItIsForgedForAnotherOrUsedAgain() {
        PrepareHandoffResponse prepared = prepare(0);
        byte[] forged = prepared.getHandoffTicket().toByteArray();
        forged[10] ^= 1;

        Codes.assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "handoff_ticket",
                () -> cluster.stub("n2").completeHandoff(complete(ByteString.copyFrom(forged))));
        Codes.assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "for n2 (expected: for n1",
                () -> cluster.stub("n1").completeHandoff(complete(prepared.getHandoffTicket())));
        assertThat(cluster.stub("n2")
                        .completeHandoff(complete(prepared.getHandoffTicket()))
                        .getActivated())
                .isTrue();
        Codes.assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "presented before",
                () -> cluster.stub("n2").completeHandoff(complete(prepared.getHandoffTicket())));
    }

    /** The nonces of a process end with it; what is left is the engine's own comparison of terms (INV-9). */
    @Test
    void aTicketOfATermThatIsOverIsRefusedByTheEngineEvenWhereItWasNotSeenBefore() throws IOException {
        PrepareHandoffResponse prepared = prepare(1_000);
        cluster.stub("n1")
                .stopSequencer(StopSequencerRequest.newBuilder()
                        .setLeaseToken(token("n1"))
                        .build());
        cluster.awaitLeader("n2");

        assertThat(Codes.of(() -> cluster.stub("n2").completeHandoff(complete(prepared.getHandoffTicket()))))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
    }

    @Test
    void anUnfitTargetGetsNoTicketAndTheHolderWorksOn() {
        cluster.unfit("n1", "to: n2 is 500 entries behind");

        Codes.assertRefused(Status.Code.FAILED_PRECONDITION, "500 entries behind", () -> prepare(0));
        assertThat(cluster.blocks("n1").status().standing().name()).isEqualTo(Standing.Name.LEADER);
    }

    @Test
    void aRetryWithTheSameKeyGetsTheFirstAnswerAndDoesNothing() {
        PrepareHandoffRequest request = PrepareHandoffRequest.newBuilder()
                .setLeaseToken(token("n1"))
                .setTargetId("n2")
                .setIdempotencyKey("move-1")
                .build();
        PrepareHandoffResponse first = cluster.stub("n1").prepareHandoff(request);
        CompleteHandoffRequest taking = CompleteHandoffRequest.newBuilder()
                .setHandoffTicket(first.getHandoffTicket())
                .setIdempotencyKey("move-1")
                .build();
        CompleteHandoffResponse taken = cluster.stub("n2").completeHandoff(taking);

        assertThat(cluster.stub("n2").completeHandoff(taking)).isEqualTo(taken);
        assertThat(cluster.stub("n1").prepareHandoff(request)).isEqualTo(first);
        assertThat(cluster.blocks("n2").status().leads()).isTrue();
        Codes.assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "used for another request",
                () -> cluster.stub("n1")
                        .prepareHandoff(request.toBuilder().setReason("another").build()));
    }

    @Test
    void aKeyIsRememberedAfterAFailoverAndOnAnotherNodeAndAfterARestart() throws IOException {
        StopSequencerRequest request = stop("n1").setIdempotencyKey("stop-1").build();
        assertThat(cluster.stub("n1").stopSequencer(request).getStopped()).isTrue();
        cluster.awaitLeader("n2");
        await().atMost(PATIENCE).until(() -> cluster.plane("n2").duty().count() >= 2);
        cluster.stop("n1");

        // On n2 the token would be stale: only the remembered answer can be given.
        assertThat(cluster.stub("n2").stopSequencer(request).getStopped()).isTrue();
        assertThat(cluster.blocks("n2").status().leads()).isTrue();

        cluster.start("n1");
        await().atMost(PATIENCE).until(() -> cluster.plane("n1").duty().count() >= 2);
        assertThat(cluster.stub("n1").stopSequencer(request).getStopped()).isTrue();
    }

    @Test
    void everyDeedStandsInEveryNodesBookInTheSameOrder() throws IOException {
        cluster.stub("n1").stopSequencer(stop("n1").build());
        cluster.awaitLeader("n2");
        assertThat(Codes.of(() -> cluster.stub("n2").startSequencer(StartSequencerRequest.getDefaultInstance())))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        await().atMost(PATIENCE)
                .until(() -> cluster.plane("n1").duty().count() == 3
                        && cluster.plane("n2").duty().count() == 3);

        List<String> lines = AuditServiceGrpc.newBlockingStub(cluster.channel("n1"))
                .list(ListRequest.getDefaultInstance())
                .getLinesList();
        AuditRecord begun = AuditRecord.ofJson(ChainedLine.ofText(lines.get(0)).json());
        assertThat(begun.call()).isEqualTo("StopSequencer");
        assertThat(begun.outcome()).isEqualTo(AuditRecord.BEGUN);
        AuditRecord stopped =
                AuditRecord.ofJson(ChainedLine.ofText(lines.get(1)).json());
        assertThat(stopped.call()).isEqualTo("StopSequencer");
        assertThat(stopped.who()).isEqualTo("loopback");
        assertThat(stopped.requester()).isEqualTo("alice");
        assertThat(stopped.reason()).isEqualTo("disk exchange");
        assertThat(stopped.outcome()).isEqualTo("OK");
        assertThat(stopped.epoch()).isPositive();
        assertThat(stopped.height()).isPositive();
        assertThat(stopped.from()).contains("127.0.0.1");
        Book.Verdict mine = Book.verify(folder.resolve("n1").resolve(ControlPlane.BOOK));
        Book.Verdict theirs = Book.verify(folder.resolve("n2").resolve(ControlPlane.BOOK));
        assertThat(mine).isEqualTo(theirs);
        assertThat(mine.fault()).isEqualTo(Optional.empty());
    }

    @Test
    void nothingIsDoneThatCannotBeWrittenDown() throws IOException {
        Path outbox = folder.resolve("n1").resolve("outbox.log");
        Files.deleteIfExists(outbox);
        Files.createDirectory(outbox);

        assertThat(Codes.of(() -> cluster.stub("n1").stopSequencer(stop("n1").build())))
                .isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(Codes.of(() -> prepare(5_000))).isEqualTo(Status.Code.UNAVAILABLE);

        assertThat(cluster.blocks("n1").status().leads()).isTrue();
        assertThat(cluster.status("n1").getStopped()).isEmpty();
    }

    @Test
    void whatWasAskedWhileNobodyKeptTheAuditIsForwardedLater() throws IOException {
        cluster.stop("n2");
        cluster.cut("n1");
        await().atMost(PATIENCE).until(() -> !cluster.control("n1").status().leads());
        assertThat(Codes.of(() -> cluster.stub("n1").startSequencer(StartSequencerRequest.getDefaultInstance())))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        cluster.stop("n1");

        cluster.start("n1");
        cluster.awaitAudit();

        await().atMost(PATIENCE).until(() -> cluster.plane("n1").duty().count() >= 1);
        assertThat(AuditServiceGrpc.newBlockingStub(cluster.channel("n1"))
                        .list(ListRequest.getDefaultInstance())
                        .getLines(0))
                .contains("\"call\":\"StartSequencer\"", "FAILED_PRECONDITION");
    }
}
