package dev.baton.authority.nats.seat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.Candidate;
import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages say how the seat stands after them, and only those in their own place count. */
final class SeatMessageTest {

    private static final SeatId SEAT = SeatId.of("acme", "blocks");
    private static final SeatNames NAMES = SeatNames.of(SEAT);
    private static final Entry ENTRY = Entry.after(Head.GENESIS, SEAT, new Epoch(3), List.of(), Bytes.utf8("hello"));
    private static final SeatState STATE = SeatState.EMPTY
            .promoted(
                    new Candidate(new Holder(new NodeId("n1"), new Incarnation(-2)), "häuschen 1:7400"),
                    Ending.REPLACED,
                    3)
            .appended(ENTRY, 4);
    private static final SeatMessage MESSAGE =
            new SeatMessage(4, SeatMessage.Kind.APPENDED, STATE, "nonce", EntryCodec.encode(ENTRY));

    /** As a server stores it under a sequence. */
    private static Optional<SeatMessage> stored(long sequence, Headers headers, byte[] body) {
        Base64.Encoder base64 = Base64.getEncoder();
        String json = "{\"message\":{\"subject\":\"" + NAMES.subject() + "\",\"seq\":" + sequence + ",\"hdrs\":\""
                + base64.encodeToString(headers.getSerialized()) + "\",\"data\":\"" + base64.encodeToString(body)
                + "\",\"time\":\"2026-01-01T00:00:00Z\"}}";
        NatsMessage answer = NatsMessage.builder()
                .subject("inbox")
                .data(json.getBytes(StandardCharsets.UTF_8))
                .build();
        return SeatMessage.of(new MessageInfo(answer, NAMES.stream(), false));
    }

    @Test
    void everythingSurvivesTheStream() {
        SeatMessage read = stored(
                        4, MESSAGE.headers(NAMES.stream()), MESSAGE.body().toArray())
                .orElseThrow();

        assertThat(read.after()).isEqualTo(STATE);
        assertThat(read.kind()).isEqualTo(SeatMessage.Kind.APPENDED);
        assertThat(read.nonce()).isEqualTo("nonce");
        assertThat(read.entry(SEAT)).isEqualTo(ENTRY);
    }

    /** INV-1: a server that let a second writer in has stored its message in another place than it was meant for. */
    @Test
    void whatStandsInAnotherPlaceThanItsWriterExpectedDoesNotCount() {
        assertThat(stored(5, MESSAGE.headers(NAMES.stream()), MESSAGE.body().toArray()))
                .isEmpty();
    }

    @Test
    void whatIsNotOursDoesNotCount() {
        Headers strange = new Headers().put("Nats-Expected-Last-Sequence", "3");

        assertThat(stored(4, strange, new byte[] {1})).isEmpty();
        assertThat(stored(
                        4,
                        MESSAGE.headers(NAMES.stream()).put("Baton-Format", "9"),
                        MESSAGE.body().toArray()))
                .isEmpty();
    }

    @Test
    void anEntryWithAnotherHashThanPromisedIsRefused() {
        byte[] changed = MESSAGE.body().toArray();
        changed[changed.length - 1]++;
        SeatMessage read = stored(4, MESSAGE.headers(NAMES.stream()), changed).orElseThrow();

        assertThatThrownBy(() -> read.entry(SEAT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("message 4 of acme/blocks@1");
    }

    @Test
    void seatsNeverShareAStream() {
        assertThat(SeatNames.of(SeatId.of("a-1", "b")).stream())
                .isNotEqualTo(SeatNames.of(SeatId.of("a", "1-b")).stream());
        assertThat(NAMES)
                .isEqualTo(
                        new SeatNames("baton_acme_1_blocks", "baton.seat.acme.1.blocks", "baton.hint.acme.1.blocks"));
    }
}
