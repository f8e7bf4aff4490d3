package dev.baton.authority.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.nats.seat.SeatNames;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.tck.PatientContender;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import io.nats.client.Connection;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stream is used for, and what strangers do to it. */
final class StreamTest {

    /** Long enough that no test loses its seat on a busy machine; those that wait for its end name a short one. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);
    private static final SeatNames NAMES = SeatNames.of(PatientContender.SEAT);

    @TempDir
    private Path dir;

    private NatsServers nats;
    private final List<PatientContender> contenders = new ArrayList<>();

    @BeforeEach
    void start() {
        nats = NatsServers.start(1, dir);
    }

    @AfterEach
    void stop() {
        contenders.forEach(PatientContender::close);
        nats.close();
    }

    private PatientContender contender(String node, Duration lease, List<String> servers) {
        PatientContender contender = new PatientContender(
                node,
                NatsAuthority.openUnchecked(
                        NatsSettings.of(servers).withLease(lease).withRequestTimeout(Duration.ofSeconds(2))));
        contenders.add(contender);
        return contender;
    }

    private PatientContender contender(String node) {
        return contender(node, LEASE, nats.addresses());
    }

    /** A server of 2.9.10 has no store yet for a stream that it is just making, and crashes when asked for a message of it. */
    @Test
    void whoeverLooksWhileAStreamIsMadeDoesNotCrashTheServer() throws Exception {
        NatsSettings settings =
                NatsSettings.of(nats.addresses()).withLease(LEASE).withRequestTimeout(Duration.ofSeconds(10));
        try (NatsAuthority holder = NatsAuthority.openUnchecked(settings);
                NatsAuthority onlooker = NatsAuthority.openUnchecked(settings)) {
            for (int i = 0; i < 40; i++) {
                SeatId seat = SeatId.of("test", "seat" + i);
                AtomicBoolean made = new AtomicBoolean();
                List<Thread> looking = new ArrayList<>();
                for (int looker = 0; looker < 8; looker++) {
                    looking.add(Thread.ofVirtual().start(() -> {
                        while (!made.get()) {
                            onlooker.seat(seat).look().toCompletableFuture().join();
                        }
                    }));
                }
                Promotion promotion = holder.seat(seat)
                        .promote(
                                new Claim.Vacancy(),
                                new Candidate(new Holder(new NodeId("n1"), new Incarnation(7)), "n1:1"))
                        .toCompletableFuture()
                        .join();
                made.set(true);
                for (Thread looker : looking) {
                    looker.join();
                }
                assertThat(promotion).as("seat %s", i).isInstanceOf(Promotion.Elected.class);
            }
        }
    }

    /** INV-1: the expected sequence is only ever the holder's own; whoever else writes into the stream fences it. */
    @Test
    void aStrangersMessageFencesTheHolderAndIsReadByNobody() throws Exception {
        PatientContender holder = contender("n1", SHORT_LEASE, nats.addresses());
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(3));

        try (Connection stranger = nats.connect()) {
            stranger.jetStream().publish(NAMES.subject(), "hello".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(holder.decide(holder.draft("on top of it"))).isInstanceOf(Appended.Fenced.class);
        PatientContender successor = contender("n2", SHORT_LEASE, nats.addresses());
        assertThat(successor.take(new Claim.Vacancy()).head())
                .isEqualTo(written.getLast().asHead());
        written.addAll(successor.commit(2));
        assertThat(successor.ledger(Height.FIRST)).isEqualTo(written);
        assertThat(contender("n3").ledger(new Height(4))).isEqualTo(written.subList(3, 5));
    }

    /** A copy of a real message that a stranger puts on top carries a sequence that is not its own, and does not count. */
    @Test
    void aCopiedPromotionGivesNobodyTheSeat() throws Exception {
        PatientContender holder = contender("n1", SHORT_LEASE, nats.addresses());
        holder.take(new Claim.Vacancy());
        holder.commit(1);

        try (Connection stranger = nats.connect()) {
            var promotion = stranger.jetStreamManagement().getMessage(NAMES.stream(), 1);
            var headers = new Headers();
            Objects.requireNonNull(promotion.getHeaders()).forEach(headers::put);
            headers.remove("Nats-Expected-Last-Sequence", "Nats-Expected-Stream");
            headers.put("Baton-Epoch", "3");
            stranger.jetStream()
                    .publish(NatsMessage.builder()
                            .subject(NAMES.subject())
                            .headers(headers)
                            .build());
        }

        Look.Held look = (Look.Held) contender("n2").look();
        assertThat(look.by().term()).isEqualTo(holder.term());
        assertThat(look.head()).isEqualTo(holder.head());
    }

    /** Nothing but a commit is a sign of life: a holder that only looks on loses its seat. */
    @Test
    void lookingAndReadingDoNotKeepTheSeat() {
        PatientContender holder = contender("n1", SHORT_LEASE, nats.addresses());
        holder.watch();
        holder.take(new Claim.Vacancy());
        holder.commit(1);

        PatientContender.until(
                "the seat is free",
                () -> {
                    assertThat(holder.ledger(Height.FIRST)).hasSize(1);
                    return holder.look();
                },
                Look.Vacant.class::isInstance);

        holder.awaitEvent(new SeatEvent.Vacated(Ending.LAPSED)::equals);
        var lapsed = holder.term();
        assertThat(holder.take(new Claim.Vacancy()).predecessorEnded()).isEqualTo(Ending.LAPSED);
        assertThat(holder.term().epoch()).isGreaterThan(lapsed.epoch());
    }

    /** INV-7: who has just come has seen nothing stand still, however old the last message is. */
    @Test
    void whoHasJustComeWaitsForTheWholeDelayByItsOwnClock() {
        PatientContender holder = contender("n1", SHORT_LEASE, nats.addresses());
        holder.take(new Claim.Vacancy());
        holder.commit(1);
        PatientContender.until("free for who has watched", holder::look, Look.Vacant.class::isInstance);

        PatientContender late = contender("n2", SHORT_LEASE, nats.addresses());
        long begun = System.nanoTime();
        assertThat(late.ask(new Claim.Vacancy())).isInstanceOf(Promotion.Held.class);
        late.take(new Claim.Vacancy());

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(SHORT_LEASE);
    }

    @Test
    void aStreamThatIsGoneIsNotBegunAnew() throws Exception {
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        holder.commit(2);

        try (Connection stranger = nats.connect()) {
            stranger.jetStreamManagement().deleteStream(NAMES.stream());
        }

        Appended outcome = holder.append(holder.draft("into nothing"));
        assertThat(outcome).isNotInstanceOf(Appended.Committed.class);
        assertThat(holder.ask(new Claim.Vacancy()).toString())
                .contains("is gone")
                .contains("raise the seat's era");
    }

    @Test
    void whatIsLargerThanNatsTakesIsRefusedWithTheLimit() {
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());

        Appended outcome = holder.append(holder.draft(PatientContender.noise(3 << 20)));

        assertThat(outcome).isInstanceOf(Appended.Unavailable.class);
        assertThat(outcome.toString()).contains("3145728 bytes").contains("max_payload");
        holder.commit(holder.draft(PatientContender.noise(1 << 20)));
    }
}
