package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who holds a seat, and under which epoch. */
interface HoldingTests extends AtBench {

    @Test
    default void unknownSeatIsVacantAndEmpty() {
        Contender anybody = bench().contender(1);

        assertThat(anybody.look()).isEqualTo(new Look.Vacant(Ending.NONE, Head.GENESIS, Height.FIRST));
        assertThat(anybody.ledger()).isEmpty();
    }

    @Test
    default void theSameSeatGivesTheSameObject() {
        Contender anybody = bench().contender(1);

        assertThat(anybody.authority().seat(bench().seat()))
                .isSameAs(anybody.authority().seat(bench().seat()));
    }

    /** INV-1. */
    @Test
    default void oneOfEightRacingContendersIsElectedAndAllAgree() throws Exception {
        List<Contender> racers =
                IntStream.rangeClosed(1, 8).mapToObj(bench()::contender).toList();
        Set<Epoch> epochs = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            List<Promotion> outcomes = race(racers);

            List<Seating> winners = outcomes.stream()
                    .filter(Promotion.Elected.class::isInstance)
                    .map(outcome -> ((Promotion.Elected) outcome).seating())
                    .toList();
            assertThat(winners).as("elected in round %d: %s", round, outcomes).hasSize(1);
            Seating winner = winners.getFirst();
            assertThat(epochs.add(winner.term().epoch()))
                    .as("epoch %s is new", winner.term().epoch())
                    .isTrue();
            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(seatingIn(outcome)).isEqualTo(winner));
            racers.stream()
                    .filter(racer -> racer.holder().equals(winner.term().holder()))
                    .forEach(racer -> racer.resignUntilDone(winner.term()));
        }
    }

    private static List<Promotion> race(List<Contender> racers) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Promotion>> answers = new ArrayList<>();
            for (Contender racer : racers) {
                answers.add(threads.submit(() -> racer.promoteUntilDecided(new Claim.Vacancy())));
            }
            List<Promotion> outcomes = new ArrayList<>();
            for (Future<Promotion> answer : answers) {
                outcomes.add(answer.get());
            }
            return outcomes;
        }
    }

    private static Seating seatingIn(Promotion outcome) {
        return switch (outcome) {
            case Promotion.Elected elected -> elected.seating();
            case Promotion.Held held -> held.by();
            case Promotion.Refused ignored -> throw new AssertionError(outcome);
            case Promotion.Unavailable ignored -> throw new AssertionError(outcome);
            case Promotion.Indeterminate ignored -> throw new AssertionError(outcome);
        };
    }

    @Test
    default void aHeldSeatIsNotGivenAwayOnAClaimOfVacancy() {
        Holding holding = bench().contender(1).take();
        Contender other = bench().contender(2);

        Promotion outcome = other.promoteUntilDecided(new Claim.Vacancy());

        assertThat(Answers.expect(Promotion.Held.class, outcome).by())
                .isEqualTo(holding.elected().seating());
        holding.commit("still here");
    }

    @Test
    default void theSeatingNamesHolderIncarnationAndAddress() {
        Contender contender = bench().contender(1);

        Seating seating = contender.take().elected().seating();

        assertThat(seating.term().holder()).isEqualTo(contender.holder());
        assertThat(seating.address()).isEqualTo(contender.node() + ":1");
        assertThat(Answers.expect(Look.Held.class, contender.look()).by()).isEqualTo(seating);
    }

    @Test
    default void promotionRepeatedByTheSameIncarnationReturnsTheSameTerm() {
        Contender contender = bench().contender(1);
        Holding holding = contender.take();
        holding.commit("one");

        Promotion.Elected again = contender.take().elected();

        assertThat(again.seating()).isEqualTo(holding.elected().seating());
        assertThat(again.predecessorEnded()).isEqualTo(holding.elected().predecessorEnded());
        assertThat(again.head()).isEqualTo(holding.head());
        holding.commit("two");
    }

    /** INV-2: on every engine it waits until the seat is free, or brings evidence, like anybody else. */
    @Test
    default void restartedHolderNeverResumesItsTerm() {
        Contender first = bench().contender(1);
        Holding old = first.take();
        old.commit("before the restart");

        Contender second = bench().restart(first);
        Holding anew = second.takeUntilElected(new Claim.Vacancy());

        assertThat(anew.term().epoch()).isGreaterThan(old.term().epoch());
        assertThat(anew.term().holder()).isEqualTo(second.holder());
        assertThat(anew.elected().head()).isEqualTo(old.head());
        assertThat(second.appendUntilDecided(old.term(), old.draft("of the old term")))
                .isInstanceOf(Appended.Fenced.class);
    }

    /** INV-1. */
    @Test
    default void epochsStrictlyGrowOverManyTerms() {
        List<Contender> contenders =
                IntStream.rangeClosed(1, 3).mapToObj(bench()::contender).toList();
        Epoch highest = Epoch.NONE;
        for (int i = 0; i < 12; i++) {
            Holding holding = contenders.get(i % 3).take();
            assertThat(holding.term().epoch()).isGreaterThan(highest);
            highest = holding.term().epoch();
            if (i % 2 == 0) {
                holding.commit("term " + i);
            }
            holding.resign();
        }
    }

    /** INV-1: the epoch tells two terms apart even if nobody else was there in between. */
    @Test
    default void theSameProcessTakingTheSeatAgainGetsAHigherEpoch() {
        Contender contender = bench().contender(1);
        Holding first = contender.take();
        first.resign();

        Holding second = contender.take();

        assertThat(second.term().epoch()).isGreaterThan(first.term().epoch());
        assertThat(contender.appendUntilDecided(first.term(), first.draft("of the first term")))
                .isInstanceOf(Appended.Fenced.class);
    }

    @Test
    default void theFirstTermHasNoPredecessorAndBeginsAtGenesis() {
        Promotion.Elected elected = bench().contender(1).take().elected();

        assertThat(elected.predecessorEnded()).isEqualTo(Ending.NONE);
        assertThat(elected.head()).isEqualTo(Head.GENESIS);
    }

    @Test
    default void theNextTermBeginsAtTheLastCommittedHead() {
        Holding first = bench().contender(1).take();
        first.commit(3);
        first.resign();

        Holding second = bench().contender(2).take();

        assertThat(second.elected().head()).isEqualTo(first.head());
        second.commit("four");
        assertThat(second.contender().ledger()).hasSize(4);
    }

    @Test
    default void twoSeatsAreIndependent() {
        Contender here = bench().contender(1);
        SeatId otherSeat = bench().newSeat();
        Holding one = here.take();
        Holding other = here.at(otherSeat).take();

        one.commit(3);
        other.commit(1);
        assertThat(one.contender().ledger()).hasSize(3);
        assertThat(other.contender().ledger()).hasSize(1);

        one.resign();
        other.commit("the other seat is still held");
        assertThat(one.contender().look()).isInstanceOf(Look.Vacant.class);
        assertThat(one.contender().ledger()).hasSize(3);
        Term stillHeld =
                Answers.expect(Look.Held.class, other.contender().look()).by().term();
        assertThat(stillHeld).isEqualTo(other.term());
    }
}
