package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Term;
import dev.baton.core.timing.Lease;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a seat becomes free, and how it does not. */
interface LeaseTests extends AtBench {

    /** The successor hears RESIGNED, so it was not the lease that freed the seat. */
    @Test
    default void resigningFreesTheSeatAtOnce() {
        Holding first = bench().contender(1).take();
        first.commit("one");

        first.resign();

        Look.Vacant vacant = Answers.expect(Look.Vacant.class, first.contender().look());
        assertThat(vacant.lastEnded()).isEqualTo(Ending.RESIGNED);
        assertThat(vacant.head()).isEqualTo(first.head());
        assertThat(bench().contender(2).take().elected().predecessorEnded()).isEqualTo(Ending.RESIGNED);
    }

    /** INV-6: the holder may act until its lease ends, so nobody else gets the seat before. */
    @Test
    default void silenceFreesTheSeatAfterTheLeaseAndNotBefore() {
        Holding holding = bench().contender(1).take();
        Contender successor = bench().contender(2);
        long beforeAppendNanos = System.nanoTime();
        holding.commit("the last sign of life");

        bench().silence(holding.contender());
        Holding next = successor.takeUntilElected(new Claim.Vacancy());
        Duration waited = Duration.ofNanos(System.nanoTime() - beforeAppendNanos);

        Lease lease = new Lease(bench().lease());
        assertThat(waited).isGreaterThanOrEqualTo(lease.ttl().minus(lease.drift()));
        assertThat(next.term().epoch()).isGreaterThan(holding.term().epoch());
        assertThat(next.elected().predecessorEnded()).isEqualTo(Ending.LAPSED);
        assertThat(next.elected().head()).isEqualTo(holding.head());
    }

    @Test
    default void appendsKeepTheSeatBeyondTheLease() {
        Holding holding = bench().contender(1).take();
        Contender other = bench().contender(2);
        Duration lease = bench().lease();
        long endNanos = System.nanoTime() + lease.multipliedBy(5).dividedBy(2).toNanos();
        AtomicInteger count = new AtomicInteger();

        Awaitility.await("two and a half leases of appends")
                .pollInterval(lease.dividedBy(10))
                .atMost(bench().patience().limit().plus(lease.multipliedBy(3)))
                .until(() -> {
                    holding.commit("pulse " + count.incrementAndGet());
                    return System.nanoTime() - endNanos >= 0;
                });

        Promotion outcome = other.promoteUntilDecided(new Claim.Vacancy());
        assertThat(Answers.expect(Promotion.Held.class, outcome).by().term()).isEqualTo(holding.term());
        assertThat(holding.contender().ledger()).hasSize(count.get());
    }

    /** INV-8: a holder that has to wait out its predecessor does nothing meanwhile but ask again. */
    @Test
    default void askingAgainKeepsTheSeatBeyondTheLeaseWhileNothingIsDoneUnderIt() {
        Contender contender = bench().contender(1);
        Holding holding = contender.take();
        Contender other = bench().contender(2);
        Duration lease = bench().lease();
        long endNanos = System.nanoTime() + lease.multipliedBy(2).toNanos();

        Awaitility.await("two leases of asking")
                .pollInterval(lease.dividedBy(10))
                .atMost(bench().patience().limit().plus(lease.multipliedBy(3)))
                .until(() -> {
                    assertThat(contender.take().term()).isEqualTo(holding.term());
                    return System.nanoTime() - endNanos >= 0;
                });

        Promotion outcome = other.promoteUntilDecided(new Claim.Vacancy());
        assertThat(Answers.expect(Promotion.Held.class, outcome).by().term()).isEqualTo(holding.term());
        holding.commit("at last");
    }

    /** INV-6: the holder counts its deadline from this time, so it must not lie later than the send. */
    @Test
    default void theReportedSendLiesWithinTheCall() {
        Contender contender = bench().contender(1);
        long beforePromotion = System.nanoTime();
        Holding holding = contender.take();
        long beforeAppend = System.nanoTime();
        Appended outcome = contender.appendUntilDecided(holding.term(), holding.draft("one"));
        long afterAppend = System.nanoTime();

        assertThat(holding.elected().sentNanos()).isBetween(beforePromotion, beforeAppend);
        assertThat(Answers.expect(Appended.Committed.class, outcome).sentNanos())
                .isBetween(beforeAppend, afterAppend);
    }

    @Test
    default void evidenceAgainstAnotherTermDoesNotFreeTheSeat() {
        Holding holding = bench().contender(1).take();
        Contender other = bench().contender(2);
        Term elsewhere = new Term(
                new Epoch(holding.term().epoch().value() + 1),
                bench().contender(3).holder());
        Term samePlaceOtherProcess =
                new Term(holding.term().epoch(), bench().contender(1).holder());

        assertThat(other.promote(new Claim.Evidence(elsewhere))).isNotInstanceOf(Promotion.Elected.class);
        assertThat(other.promote(new Claim.Evidence(samePlaceOtherProcess))).isNotInstanceOf(Promotion.Elected.class);
        holding.commit("undisturbed");
    }

    @Test
    default void evidenceAgainstTheHoldersTermLetsASuccessorIn() {
        Holding holding = bench().contender(1).take();
        Contender successor = bench().contender(2);
        holding.commit("the last sign of life");

        bench().silence(holding.contender());
        Holding next = successor.takeUntilElected(new Claim.Evidence(holding.term()));

        assertThat(next.term().epoch()).isGreaterThan(holding.term().epoch());
        assertThat(next.elected().predecessorEnded()).isIn(Ending.REPLACED, Ending.LAPSED);
        assertThat(next.elected().head()).isEqualTo(holding.head());
        next.commit("under the new term");
    }

    /** INV-1: evidence may be wrong. Whatever the engine makes of it, one of the two can commit and the other not. */
    @Test
    default void wrongEvidenceNeverLeavesTwoHolders() {
        Holding holding = bench().contender(1).take();
        Contender other = bench().contender(2);

        Promotion outcome = other.promote(new Claim.Evidence(holding.term()));

        if (outcome instanceof Promotion.Elected elected) {
            assertThat(elected.predecessorEnded()).isEqualTo(Ending.REPLACED);
            assertThat(holding.tryNext("I am still here")).isInstanceOf(Appended.Fenced.class);
            new Holding(other, elected).commit("mine now");
        } else {
            holding.commit("I am still here");
        }
    }
}
