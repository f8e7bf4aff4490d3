package dev.baton.duty.tokens.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.duty.tokens.Changed;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceHistory;
import dev.baton.duty.tokens.NamespaceSpec;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.Stretch;
import dev.baton.wire.tokens.v1.CreateRequest;
import dev.baton.wire.tokens.v1.FreezeRequest;
import dev.baton.wire.tokens.v1.HistoryRequest;
import dev.baton.wire.tokens.v1.HistoryResponse;
import dev.baton.wire.tokens.v1.ListRequest;
import dev.baton.wire.tokens.v1.Namespace;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NamespacesEndpointTest {

    private static final NamespaceView SHARD = new NamespaceView(
            "voucher/1",
            Guarantee.LEASED,
            2,
            4,
            9000,
            500,
            true,
            OptionalLong.of(42),
            10,
            new Height(17),
            OptionalInt.of(4));

    private static final Namespace WIRE_SHARD = Namespace.newBuilder()
            .setName("voucher/1")
            .setGuarantee(dev.baton.wire.tokens.v1.Guarantee.LEASED)
            .setStart(2)
            .setStep(4)
            .setCeiling(9000)
            .setMaxCount(500)
            .setFrozen(true)
            .setNext(42)
            .setReserved(10)
            .setCreatedHeight(17)
            .setShards(4)
            .build();

    private final FakeTokens tokens = new FakeTokens();
    private @SuppressWarnings("NullAway.Init") Served served;

    @BeforeEach
    void serve() throws IOException {
        served = Served.open(tokens);
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private Served.Failure failure(Changed answer) {
        tokens.changeWith(answer);
        return Served.Failure.of(catchThrowable(() -> served.namespaces().freeze(FreezeRequest.getDefaultInstance())));
    }

    @Test
    void whatIsWantedArrivesAndWhatWasMadeComesBack() {
        tokens.changeWith(new Changed.Done(List.of(SHARD), new Height(18)));

        NamespacesResponse made = served.namespaces()
                .create(CreateRequest.newBuilder()
                        .setName("voucher")
                        .setGuarantee(dev.baton.wire.tokens.v1.Guarantee.LEASED)
                        .setStart(1)
                        .setStep(2)
                        .setCeiling(9000)
                        .setMaxCount(500)
                        .setShards(4)
                        .build());

        assertThat(tokens.wanted())
                .isEqualTo(new NamespaceSpec(
                        "voucher",
                        Guarantee.LEASED,
                        OptionalLong.of(1),
                        OptionalLong.of(2),
                        OptionalLong.of(9000),
                        OptionalLong.of(500),
                        OptionalInt.of(4)));
        assertThat(made)
                .isEqualTo(NamespacesResponse.newBuilder()
                        .addNamespaces(WIRE_SHARD)
                        .setHeight(18)
                        .build());
    }

    @Test
    void whatIsLeftOutIsLeftToTheHolderAndStrict() {
        tokens.changeWith(new Changed.Done(List.of(), new Height(1)));

        served.namespaces().create(CreateRequest.newBuilder().setName("a").build());

        assertThat(tokens.wanted())
                .isEqualTo(new NamespaceSpec(
                        "a",
                        Guarantee.STRICT,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty()));
    }

    /** A newer client's guarantee must not quietly become a weaker one. */
    @Test
    void aGuaranteeThatThisServerDoesNotKnowIsRefused() {
        Served.Failure failure = Served.Failure.of(catchThrowable(() -> served.namespaces()
                .create(CreateRequest.newBuilder()
                        .setName("a")
                        .setGuaranteeValue(7)
                        .build())));

        assertThat(failure.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(failure.message()).startsWith("guarantee: 7 (expected: ");
    }

    @Test
    void changesFailAsRequestsDo() {
        Served.Failure exists = failure(new Changed.Refused(Refusal.EXISTS, "with step 2"));
        assertThat(exists.code()).isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(exists.reason()).isEqualTo("EXISTS");

        Served.Failure elsewhere = failure(new Changed.NotHolder(Optional.of("10.0.0.2:50051")));
        assertThat(elsewhere.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(elsewhere.holder()).isEqualTo("10.0.0.2:50051");

        Served.Failure unknown = failure(new Changed.Unknown("fenced", Optional.empty()));
        assertThat(unknown.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(unknown.holder()).isEmpty();
        assertThat(unknown.info().getReason()).isEqualTo("OUTCOME_UNKNOWN");
    }

    @Test
    void everyNodeListsWhatItKnowsAndUpToWhichHeight() {
        tokens.show(List.of(SHARD), Optional.empty());

        assertThat(served.namespaces()
                        .list(ListRequest.newBuilder().setPrefix("vou").build()))
                .isEqualTo(NamespacesResponse.newBuilder()
                        .addNamespaces(WIRE_SHARD)
                        .setHeight(99)
                        .build());
        assertThat(served.namespaces()
                        .list(ListRequest.newBuilder().setPrefix("x").build())
                        .getNamespacesList())
                .isEmpty();
    }

    @Test
    void theHistoryOfANamespaceTellsItsGaps() {
        Stretch stretch = new Stretch(new Epoch(5), 3, 10, 20, new Height(2), new Height(4), 15);
        tokens.show(List.of(), Optional.of(new NamespaceHistory("voucher", List.of(stretch), 10)));

        assertThat(served.namespaces()
                        .history(HistoryRequest.newBuilder().setName("voucher").build()))
                .isEqualTo(HistoryResponse.newBuilder()
                        .setName("voucher")
                        .setRememberedFrom(10)
                        .addStretches(dev.baton.wire.tokens.v1.Stretch.newBuilder()
                                .setEpoch(5)
                                .setRevision(3)
                                .setFirstToken(10)
                                .setEndToken(20)
                                .setFirstHeight(2)
                                .setLastHeight(4)
                                .setGapFrom(15))
                        .build());
    }

    @Test
    void theHistoryOfAnUnknownNamespaceIsNotFound() {
        Served.Failure failure = Served.Failure.of(catchThrowable(() -> served.namespaces()
                .history(HistoryRequest.newBuilder().setName("x").build())));

        assertThat(failure.code()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(failure.reason()).isEqualTo("NO_NAMESPACE");
    }
}
