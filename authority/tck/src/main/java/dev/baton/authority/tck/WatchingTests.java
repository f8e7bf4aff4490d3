package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.SeatEvent;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Head;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What observers are told. */
interface WatchingTests extends AtBench {

    @Test
    default void aWatchOfAnUnknownSeatBeginsWithVacancy() {
        Watcher watcher = bench().contender(1).watch();

        watcher.awaitEvent("told of the vacancy", SeatEvent.Vacated.class::isInstance);

        assertThat(watcher.events())
                .filteredOn(event -> !(event instanceof SeatEvent.Missed))
                .containsExactly(new SeatEvent.Vacated(Ending.NONE));
    }

    @Test
    default void aWatchOfAHeldSeatBeginsWithHolderAndHead() {
        Holding holding = bench().contender(1).take();
        holding.commit(3);

        Watcher watcher = holding.contender().watch();

        watcher.await(new SeatEvent.Taken(holding.elected().seating()));
        List<SeatEvent> told = watcher.await(new SeatEvent.Advanced(holding.head()));
        assertThat(told).noneMatch(SeatEvent.Vacated.class::isInstance);
    }

    @Test
    default void aWatchOfAResignedSeatBeginsWithItsEnding() {
        Holding holding = bench().contender(1).take();
        holding.commit(1);
        holding.resign();

        Watcher watcher = holding.contender().watch();

        watcher.await(new SeatEvent.Vacated(Ending.RESIGNED));
        watcher.await(new SeatEvent.Advanced(holding.head()));
    }

    /** Told of each head, or told that something was missed; never silently skipped. */
    @Test
    default void everyHeadIsToldInOrder() {
        Watcher here = bench().contender(1).watch();
        Watcher there = bench().contender(2).watch();
        Holding holding = bench().contender(1).take();

        holding.commit(50);

        for (Watcher watcher : List.of(here, there)) {
            List<SeatEvent> told = watcher.await(new SeatEvent.Advanced(holding.head()));
            assertInOrder(told);
            assertThat(watcher.overlapped()).as("two events at a time").isFalse();
        }
    }

    private static void assertInOrder(List<SeatEvent> told) {
        long last = 0;
        boolean mayJump =
                told.getFirst() instanceof SeatEvent.Taken; // it began to look when there were entries already
        for (SeatEvent event : told) {
            switch (event) {
                case SeatEvent.Advanced(Head head) -> {
                    long height = head.height().value();
                    if (mayJump) {
                        assertThat(height).isGreaterThanOrEqualTo(last);
                    } else {
                        assertThat(height).as("head after %d in %s", last, told).isEqualTo(last + 1);
                    }
                    last = height;
                    mayJump = false;
                }
                case SeatEvent.Missed ignored -> mayJump = true;
                case SeatEvent.Taken ignored -> {}
                case SeatEvent.Vacated ignored -> {}
            }
        }
    }

    @Test
    default void everyObserverHearsOfATermsBeginningAndEnd() {
        Watcher here = bench().contender(1).watch();
        Watcher there = bench().contender(2).watch();
        Watcher elsewhere = bench().contender(3).watch();

        Holding first = bench().contender(1).take();
        first.commit(1);
        for (Watcher watcher : List.of(here, there, elsewhere)) {
            watcher.await(new SeatEvent.Taken(first.elected().seating()));
        }
        first.resign();

        for (Watcher watcher : List.of(here, there, elsewhere)) {
            watcher.await(new SeatEvent.Vacated(Ending.RESIGNED));
        }
    }

    @Test
    default void aLapseIsToldWithoutAnybodyAsking() {
        Holding holding = bench().contender(1).take();
        Watcher watcher = bench().contender(2).watch();
        holding.commit(1);
        watcher.await(new SeatEvent.Advanced(holding.head()));

        bench().silence(holding.contender());

        watcher.await(new SeatEvent.Vacated(Ending.LAPSED));
    }

    @Test
    default void aHandoffIsToldAsTheNewTerm() {
        Holding old = bench().contender(1).take();
        old.commit(1);
        Contender target = bench().contender(2);
        Watcher watcher = bench().contender(3).watch();
        watcher.await(new SeatEvent.Taken(old.elected().seating()));

        Holding present = target.takeUntilElected(new Claim.ByTicket(old.ticketFor(target.node())));

        watcher.await(new SeatEvent.Taken(present.elected().seating()));
    }

    /** Another watch on the same object tells when the events have come through. */
    @Test
    default void aClosedWatchIsToldNothingMore() {
        Contender contender = bench().contender(1);
        Watcher closed = contender.watch();
        Watcher open = contender.watch();
        Holding holding = contender.take();
        holding.commit(1);
        closed.await(new SeatEvent.Advanced(holding.head()));
        open.await(new SeatEvent.Advanced(holding.head()));

        closed.close();
        holding.commit(20);
        open.await(new SeatEvent.Advanced(holding.head()));

        // One event may have been on its way when the watch was closed.
        long heads = closed.events().stream()
                .filter(SeatEvent.Advanced.class::isInstance)
                .count();
        assertThat(heads).isLessThanOrEqualTo(2);
    }

    @Test
    default void closingAWatchTwiceIsHarmless() {
        Contender contender = bench().contender(1);
        Watcher watcher = contender.watch();

        watcher.close();
        watcher.close();

        contender.take().commit("undisturbed");
    }
}
