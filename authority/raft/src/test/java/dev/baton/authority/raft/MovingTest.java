package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.Appended;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the leadership goes, and when. */
final class MovingTest {

    @TempDir
    private Path dir;

    /** With patience: on a busy machine a third node would stand for election before the new leader is looked at. */
    @Test
    void theLeadershipArrivesAtTheNamedNodeEveryTime() throws Exception {
        RaftSettings.Times patient =
                new RaftSettings.Times(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(5));
        try (Group group = Group.of(3, dir, settings -> settings.with(patient))) {
            long begun = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                int target = i % 3 + 1;
                int via = (i + 1) % 3 + 1;
                group.member(via).transferTo(Group.node(target));
                group.awaitLeads(target);
            }
            System.out.printf(
                    "raft: 10 transfers to a named node in %d ms%n",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        }
    }

    /** Nobody at the leader promotes, as if its duty were not ready; the one that wants the seat gets it. */
    @Test
    void aLeaderThatDoesNotWantTheSeatGivesItAway() throws Exception {
        try (Group group = Group.of(3, dir, UnaryOperator.identity())) {
            for (int i = 0; i < 4; i++) {
                int wanting = group.awaitLeader() % 3 + 1;
                Promotion.Elected elected = group.take(wanting);
                group.commit(wanting, elected, Bytes.utf8("entry " + i));
                group.resign(wanting, elected);
            }
        }
    }

    @Test
    void aWitnessVotesAndNeverHoldsASeat() throws Exception {
        UnaryOperator<RaftSettings> witness = settings -> settings.withWitnesses(Set.of(Group.node(3)));
        try (Group group = Group.of(3, dir, witness)) {
            assertThat(group.ask(3)).isInstanceOf(Promotion.Refused.class);
            assertThatThrownBy(() -> group.member(1).transferTo(Group.node(3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("witness");
            Promotion.Elected first = group.take(1);
            group.commit(1, first, Bytes.utf8("one"));

            group.stop(1); // two of three are left, and one of them is the witness: its vote is needed

            Promotion.Elected second = group.take(2);
            group.commit(2, second, Bytes.utf8("two"));
            group.awaitHeight(3, 2);
            assertThat(group.awaitLeader()).isEqualTo(2);
        }
    }

    /** A witness that is elected all the same passes the leadership on by itself. */
    @Test
    void aWitnessThatLeadsGivesTheLeadershipAway() throws Exception {
        // Members 1 and 2 do not know that 3 is a witness, so they can be made to transfer to it.
        UnaryOperator<RaftSettings> witness = settings ->
                settings.node().equals(Group.node(3)) ? settings.withWitnesses(Set.of(Group.node(3))) : settings;
        try (Group group = Group.of(3, dir, witness)) {
            int from = group.awaitLeader();
            group.member(from == 3 ? 1 : from).transferTo(Group.node(3));

            Awaitility.await("another member leads")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !group.member(3).leads() && group.awaitLeader() != 3);
        }
    }

    /** The engine's heartbeats go on while a driver hangs: the lease ends its term all the same. */
    @Test
    void aHolderThatStopsCommittingLosesTheSeat() throws Exception {
        Duration lease = Duration.ofMillis(1500);
        UnaryOperator<RaftSettings> impatient = settings -> RaftSettings.of(
                        settings.cluster(), settings.node(), settings.peers(), settings.storage(), lease)
                .with(settings.times());
        try (Group group = Group.of(3, dir, impatient)) {
            Promotion.Elected hung = group.take(1);
            group.commit(1, hung, Bytes.utf8("the last one"));

            Promotion.Elected successor = group.take(2);

            assertThat(successor.predecessorEnded()).isEqualTo(Ending.LAPSED);
            assertThat(group.member(1).broken()).isEmpty();
            Entry late = Entry.after(
                    successor.head(), Group.SEAT, hung.seating().term().epoch(), List.of(), Bytes.utf8("awake"));
            // The other two may have elected: what member 1 knows comes later.
            Awaitility.await("it learns that it is fenced")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> group.append(1, hung, late), Appended.Fenced.class::isInstance);
        }
    }

    @Test
    void anEntryThatIsTooLargeIsRefusedAndDeposesNobody() throws Exception {
        try (Group group = Group.of(3, dir, UnaryOperator.identity())) {
            Promotion.Elected elected = group.take(1);
            int limit = RaftSettings.Limits.DEFAULT.entryBytes();
            Entry huge = group.draft(1, elected, Bytes.wrap(new byte[limit]));

            Appended refused = group.append(1, elected, huge);

            assertThat(refused).isInstanceOf(Appended.Unavailable.class);
            assertThat(((Appended.Unavailable) refused).why()).contains("entry-bytes");
            group.commit(1, elected, Bytes.wrap(new byte[1 << 20]));
            assertThat(((Look.Held) Group.answer(
                                    group.member(1).seat(Group.SEAT).look()))
                            .by())
                    .isEqualTo(elected.seating());
        }
    }
}
