package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.Candidate;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules that every member applies to the log. */
final class LedgerStateTest {

    private static final SeatId SEAT = SeatId.of("test", "blocks");
    private static final Candidate ONE = candidate("n1", 11);
    private static final Candidate TWO = candidate("n2", 22);

    /** A log entry: a command, or the engine's own first entry of a term. */
    private record Logged(long term, Command command) {}

    private final List<SeatEvent> events = new ArrayList<>();
    private final LedgerState state = new LedgerState((seat, event) -> events.add(event));

    private static Candidate candidate(String node, long incarnation) {
        return new Candidate(new Holder(new NodeId(node), new Incarnation(incarnation)), node + ":1");
    }

    private static Term term(long epoch, Candidate candidate) {
        return new Term(new Epoch(epoch), candidate.holder());
    }

    private static Command promote(Candidate candidate) {
        return new Command.Promote(SEAT, new Claim.Vacancy(), candidate);
    }

    private static Entry entry(Head after, long epoch, String payload) {
        return Entry.after(after, SEAT, new Epoch(epoch), List.of(), Bytes.utf8(payload));
    }

    private static Command append(Term term, Entry entry) {
        return new Command.Append(SEAT, term, entry);
    }

    @Test
    void theEpochIsTheRaftTermOfTheLogEntry() {
        Reply reply = state.apply(promote(ONE), 7);

        assertThat(reply).isEqualTo(new Reply.Granted(new Seating(term(7, ONE), "n1:1"), Head.GENESIS, Ending.NONE));
    }

    /** INV-1: the entry was written by a deposed leader and carried over by the next; its seat still names the holder. */
    @Test
    void anAppendInALogEntryOfAnotherTermIsFenced() {
        state.apply(promote(ONE), 7);

        Reply reply = state.apply(append(term(7, ONE), entry(Head.GENESIS, 7, "late")), 8);

        assertThat(reply).isEqualTo(new Reply.Fenced(new Epoch(8)));
        assertThat(state.seat(SEAT).orElseThrow().window().head()).isEqualTo(Head.GENESIS);
    }

    @Test
    void aNewRaftTermEndsTheHoldersOfEarlierOnes() {
        state.apply(promote(ONE), 7);

        state.reach(8);

        assertThat(events).endsWith(new SeatEvent.Vacated(Ending.LAPSED));
        assertThat(state.apply(promote(TWO), 8))
                .isEqualTo(new Reply.Granted(new Seating(term(8, TWO), "n2:1"), Head.GENESIS, Ending.LAPSED));
    }

    /** INV-1: one epoch belongs to one term, even if its holder has left. */
    @Test
    void aResignedSeatIsNotGivenAgainInTheSameRaftTerm() {
        state.apply(promote(ONE), 7);
        state.apply(new Command.End(SEAT, term(7, ONE), Ending.RESIGNED), 7);

        assertThat(state.apply(promote(TWO), 7)).isEqualTo(new Reply.Spent());
        assertThat(state.apply(promote(ONE), 7)).isEqualTo(new Reply.Spent());
        assertThat(state.apply(promote(TWO), 8))
                .isEqualTo(new Reply.Granted(new Seating(term(8, TWO), "n2:1"), Head.GENESIS, Ending.RESIGNED));
    }

    /** INV-9: the ticket's Raft term is over when it is used; that alone must not spoil it. */
    @Test
    void aTicketOutlivesTheRaftTermButNotAnotherHolder() {
        state.apply(promote(ONE), 7);
        Ticket ticket = new Ticket(SEAT, term(7, ONE), Head.GENESIS, new NodeId("n2"), Duration.ofSeconds(1));
        Command byTicket = new Command.Promote(SEAT, new Claim.ByTicket(ticket), TWO);

        Reply handedOff = state.apply(byTicket, 8);
        Reply tooLate = state.apply(byTicket, 9);

        assertThat(handedOff)
                .isEqualTo(new Reply.Granted(new Seating(term(8, TWO), "n2:1"), Head.GENESIS, Ending.HANDED_OFF));
        assertThat(tooLate).isInstanceOf(Reply.Refused.class);
    }

    /** The "current term" trap: a member that replays the log in term 30 must answer as those did who saw it in term 7. */
    @Test
    void replayingTheLogAfterNewerTermsGivesTheSameAnswersAndTheSameState() {
        List<Logged> log = log();
        List<Reply> first = replay(log, state);

        List<SeatEvent> replayed = new ArrayList<>();
        LedgerState again = new LedgerState((seat, event) -> replayed.add(event));
        List<Reply> second = replay(log, again);

        assertThat(second).isEqualTo(first);
        assertThat(replayed).isEqualTo(events);
        assertThat(again.image()).isEqualTo(state.image());
        assertThat(first)
                .hasAtLeastOneElementOfType(Reply.Fenced.class)
                .hasAtLeastOneElementOfType(Reply.Conflict.class);
    }

    @Test
    void aSnapshotHoldsEverythingThatLaterAnswersDependOn() throws IOException {
        List<Logged> log = log();
        for (int cut = 0; cut <= log.size(); cut++) {
            LedgerState whole = new LedgerState((seat, event) -> {});
            List<Reply> expected = replay(log, whole);
            LedgerState before = new LedgerState((seat, event) -> {});
            List<Reply> actual = new ArrayList<>(replay(log.subList(0, cut), before));

            LedgerState after = new LedgerState(read(written(before.image())), (seat, event) -> {});
            actual.addAll(replay(log.subList(cut, log.size()), after));

            assertThat(actual).as("cut after %d", cut).isEqualTo(expected);
            assertThat(after.image()).isEqualTo(whole.image());
        }
    }

    @Test
    void aDamagedSnapshotIsRefused() throws IOException {
        replay(log(), state);
        byte[] bytes = written(state.image());
        bytes[bytes.length / 2] ^= 1;

        assertThatThrownBy(() -> read(bytes)).isInstanceOf(IOException.class).hasMessageContaining("snapshot");
    }

    @Test
    void everyCommandSurvivesItsBytes() {
        for (Logged logged : log()) {
            if (!(logged.command() instanceof Command.Append)) {
                assertThat(CommandCodec.decode(CommandCodec.encode(logged.command())))
                        .isEqualTo(logged.command());
            }
        }
        assertThatThrownBy(() -> CommandCodec.decode(Bytes.utf8("nonsense")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("format");
    }

    private static List<Logged> log() {
        Entry first = entry(Head.GENESIS, 7, "one");
        Entry second = entry(first.asHead(), 7, "two");
        Entry third = entry(second.asHead(), 9, "three");
        Ticket ticket = new Ticket(SEAT, term(9, TWO), third.asHead(), new NodeId("n1"), Duration.ofSeconds(1));
        return List.of(
                new Logged(7, promote(ONE)),
                new Logged(7, append(term(7, ONE), first)),
                new Logged(7, append(term(7, ONE), first)),
                new Logged(7, append(term(7, ONE), second)),
                new Logged(7, append(term(7, ONE), entry(first.asHead(), 7, "rival"))),
                new Logged(8, append(term(7, ONE), third)),
                new Logged(9, promote(TWO)),
                new Logged(9, promote(ONE)),
                new Logged(9, append(term(9, TWO), third)),
                new Logged(9, new Command.Trim(SEAT, term(9, TWO), new Height(2))),
                new Logged(9, append(term(9, TWO), first)),
                new Logged(12, new Command.Promote(SEAT, new Claim.ByTicket(ticket), ONE)),
                new Logged(12, new Command.End(SEAT, term(12, ONE), Ending.RESIGNED)),
                new Logged(12, promote(TWO)),
                new Logged(30, new Command.Promote(SEAT, new Claim.Evidence(term(12, ONE)), TWO)));
    }

    /** It holds as many entries as the ledger keeps, long after those are trimmed. */
    @Test
    void theImageThatAMemberStartsFromIsNotKept() throws IOException {
        state.apply(promote(ONE), 7);
        List<WeakReference<SeatImage>> images = new ArrayList<>();
        LedgerState restored = restored(images);

        await().untilAsserted(() -> {
            System.gc();
            assertThat(images).allSatisfy(image -> assertThat(image.get()).isNull());
        });
        assertThat(restored.seat(SEAT)).isPresent();
    }

    private LedgerState restored(List<WeakReference<SeatImage>> images) throws IOException {
        LedgerImage image = read(written(state.image()));
        image.seats().forEach(seat -> images.add(new WeakReference<>(seat)));
        return new LedgerState(image, (seat, event) -> events.add(event));
    }

    private static List<Reply> replay(List<Logged> log, LedgerState on) {
        return log.stream()
                .map(logged -> on.apply(logged.command(), logged.term()))
                .toList();
    }

    private static byte[] written(LedgerImage image) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SnapshotCodec.write(image, out);
        return out.toByteArray();
    }

    private static LedgerImage read(byte[] bytes) throws IOException {
        return SnapshotCodec.read(new ByteArrayInputStream(bytes));
    }
}
