package dev.baton.authority.nats.seat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.core.Ending;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.Term;
import dev.baton.core.timing.StalenessPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a process knows of a seat: never less than before, and stale only by its own clock. */
final class KnowledgeTest {

    private static final Duration DELAY = Duration.ofSeconds(10);
    private static final Candidate CANDIDATE = new Candidate(new Holder(new NodeId("n1"), new Incarnation(7)), "n1:1");
    private static final SeatState HELD = SeatState.EMPTY.promoted(CANDIDATE, Ending.NONE, 1);

    private final Knowledge knowledge = new Knowledge(new StalenessPolicy(DELAY));

    @Test
    void aServerThatLagsBehindIsNotBelieved() {
        knowledge.learn(new Sight(5, 5, HELD), System.nanoTime());

        Observation now = knowledge.learn(new Sight(3, 3, SeatState.EMPTY), System.nanoTime());

        assertThat(now.sight()).isEqualTo(new Sight(5, 5, HELD));
    }

    /** INV-7: the time runs from the first sight of that very message. */
    @Test
    void theSeatIsFreeOnlyAfterTheSameMessageWasSeenForTheWholeDelay() {
        long begun = System.nanoTime();
        Observation first = knowledge.learn(new Sight(5, 5, HELD), begun);
        long since = first.sighting().sinceNanos();

        assertThat(first.asLook(knowledge.policy())).isInstanceOf(Look.Held.class);
        assertThat(knowledge.learn(first.sight(), since + DELAY.toNanos()).asLook(knowledge.policy()))
                .isInstanceOf(Look.Held.class);
        assertThat(knowledge.learn(first.sight(), since + DELAY.toNanos() + 1).asLook(knowledge.policy()))
                .isInstanceOf(Look.Vacant.class);
        assertThat(knowledge
                        .learn(new Sight(6, 6, HELD), since + DELAY.toNanos() + 2)
                        .asLook(knowledge.policy()))
                .as("a new message begins a new delay")
                .isInstanceOf(Look.Held.class);
    }

    @Test
    void aStrangersMessageIsNoSignOfLife() {
        Observation first = knowledge.learn(new Sight(5, 5, HELD), System.nanoTime());
        long later = first.sighting().sinceNanos() + DELAY.toNanos() + 1;

        Observation now = knowledge.learn(new Sight(6, 5, HELD), later);

        assertThat(now.isStale(knowledge.policy())).isTrue();
    }

    /** INV-1. */
    @Test
    void aStrangersMessageFencesTheHolder() {
        Term term = HELD.seating().orElseThrow().term();

        assertThat(new Sight(5, 5, HELD).isHeldBy(term)).isTrue();
        assertThat(new Sight(6, 5, HELD).isHeldBy(term)).isFalse();
        assertThat(new Sight(6, 6, HELD.withResignation()).isHeldBy(term)).isFalse();
    }
}
