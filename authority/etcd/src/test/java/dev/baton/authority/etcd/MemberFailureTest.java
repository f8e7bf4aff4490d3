package dev.baton.authority.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Look;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.etcd.testing.EtcdServer;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dies and freezes: members of etcd, leases, and requests on their way. */
final class MemberFailureTest {

    /** Long enough that no test loses its seat on a busy machine; those that wait for its end name a short one. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    @TempDir
    private Path dir;

    private EtcdServers etcd;
    private final List<Contender> contenders = new ArrayList<>();

    @BeforeEach
    void start() {
        etcd = EtcdServers.start(3, dir);
    }

    @AfterEach
    void stop() {
        contenders.forEach(Contender::close);
        etcd.close();
    }

    private Contender contender(String node, Duration lease, List<String> endpoints) {
        Contender contender = new Contender(
                node, EtcdSettings.of(endpoints).withLease(lease).withRequestTimeout(Duration.ofSeconds(2)));
        contenders.add(contender);
        return contender;
    }

    private Contender contender(String node) {
        return contender(node, LEASE, etcd.addresses());
    }

    @Test
    void appendsGoOnWhileEachMemberIsKilledInTurn() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        for (EtcdServer member : etcd.all()) {
            member.kill();
            written.addAll(holder.commit(10));
            member.start();
            etcd.awaitLeader();
        }

        assertThat(holder.ledger(Height.FIRST)).isEqualTo(written);
        assertThat(contender("n2").ledger(Height.FIRST)).isEqualTo(written);
    }

    /** A frozen member keeps its connections: only the bound of each request tells that it is gone. */
    @Test
    void appendsGoOnWhileEachMemberIsFrozenInTurn() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        for (EtcdServer member : etcd.all()) {
            member.pause();
            written.addAll(holder.commit(10));
            member.resume();
            etcd.awaitLeader();
        }

        assertThat(contender("n2").ledger(Height.FIRST)).isEqualTo(written);
    }

    @Test
    void theHolderKeepsItsSeatWhenTheLeaderOfEtcdDies() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        etcd.leader().kill();
        written.addAll(holder.commit(20));

        assertThat(holder.ledger(Height.FIRST)).isEqualTo(written);
        Look.Held look = (Look.Held) contender("n2").look();
        assertThat(look.by().term()).isEqualTo(holder.term());
    }

    /**
     * INV-1, INV-3: a request that was frozen on its way takes effect, if ever, only where nobody went on without it.
     */
    @Test
    void anAppendThatWasFrozenOnItsWayChangesNothingAfterASuccessorWentOn() {
        EtcdServer frozen = etcd.get(0);
        Contender old = contender("n1", SHORT_LEASE, List.of(frozen.address()));
        old.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(old.commit(3));

        frozen.pause();
        Appended lost = old.append(old.draft("frozen on its way"));
        Contender successor = contender(
                "n2", LEASE, List.of(etcd.get(1).address(), etcd.get(2).address()));
        assertThat(successor.take(new Claim.Vacancy()).predecessorEnded()).isEqualTo(Ending.LAPSED);
        written.add(successor.commit(successor.draft("by the successor")));
        frozen.resume();

        assertThat(lost).isInstanceOf(Appended.Indeterminate.class);
        assertThat(old.decide(old.draft("frozen on its way"))).isInstanceOf(Appended.Fenced.class);
        assertThat(old.ledger(Height.FIRST)).isEqualTo(written);
    }

    /** INV-5: the same entry again tells what became of it. */
    @Test
    void anAppendThatTimedOutIsResolvedByRepeatingIt() {
        EtcdServer frozen = etcd.get(0);
        Contender holder = contender("n1", LEASE, List.of(frozen.address()));
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(3));
        Entry entry = holder.draft("frozen on its way");

        frozen.pause();
        Appended lost = holder.append(entry);
        frozen.resume();
        written.add(holder.commit(entry));
        written.addAll(holder.commit(2));

        assertThat(lost).isInstanceOf(Appended.Indeterminate.class);
        assertThat(holder.ledger(Height.FIRST)).isEqualTo(written);
    }

    @Test
    void withoutAnyMemberNothingIsSentAndEverythingIsAnsweredWithinTheBound() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        Entry entry = holder.draft("nobody there");
        etcd.all().forEach(EtcdServer::kill);
        // The first one may still have been on its way when the connections broke.
        Contender.until(
                "told that nothing was sent", () -> holder.append(entry), Appended.Unavailable.class::isInstance);

        long begun = System.nanoTime();
        Appended outcome = holder.append(entry);

        assertThat(outcome).isInstanceOf(Appended.Unavailable.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aRevokedLeaseEndsTheTerm() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        holder.commit(2);

        etcd.ctl("lease", "revoke", onlyLease());

        assertThat(holder.decide(holder.draft("too late"))).isInstanceOf(Appended.Fenced.class);
        assertThat(((Look.Vacant) holder.look()).lastEnded()).isEqualTo(Ending.LAPSED);
    }

    private String onlyLease() {
        List<String> leases = etcd.ctl("lease", "list")
                .lines()
                .filter(line -> line.matches("[0-9a-f]+"))
                .toList();
        assertThat(leases).hasSize(1);
        return leases.getFirst();
    }

    /** The seat moves from lease to lease in one transaction, and the old lease takes nothing along. */
    @Test
    void evidenceAndTicketMoveTheSeatInOneStepAndTheOldLeaseTakesNothingAlong() {
        Contender watcher = contender("n3");
        watcher.watch();
        Contender first = contender("n1");
        first.take(new Claim.Vacancy());
        first.commit(2);
        String oldLease = onlyLease();

        Contender second = contender("n2");
        assertThat(second.take(new Claim.Evidence(first.term())).predecessorEnded())
                .isEqualTo(Ending.REPLACED);
        etcd.ctl("lease", "revoke", oldLease);
        second.commit(2);
        Contender third = contender("n3");
        assertThat(third.take(new Claim.ByTicket(second.ticketFor(third))).predecessorEnded())
                .isEqualTo(Ending.HANDED_OFF);
        third.commit(1);

        watcher.awaitEvent(new SeatEvent.Advanced(third.head())::equals);
        assertThat(watcher.events.stream().filter(SeatEvent.Vacated.class::isInstance))
                .as("the vacancy before the first term, and none since")
                .containsExactly(new SeatEvent.Vacated(Ending.NONE));
        assertThat(third.term().epoch()).isGreaterThan(second.term().epoch());
    }

    /** Nothing but a commit renews: a holder that only looks on loses its seat. */
    @Test
    void lookingAndReadingDoNotKeepTheSeat() {
        Contender holder = contender("n1", SHORT_LEASE, etcd.addresses());
        holder.watch();
        holder.take(new Claim.Vacancy());
        holder.commit(1);

        Contender.until(
                "the seat is free",
                () -> {
                    assertThat(holder.ledger(Height.FIRST)).hasSize(1);
                    return holder.look();
                },
                Look.Vacant.class::isInstance);

        holder.awaitEvent(new SeatEvent.Vacated(Ending.LAPSED)::equals);
        assertThat(holder.append(holder.draft("too late"))).isInstanceOf(Appended.Fenced.class);
    }

    @Test
    void aWatchWhoseRevisionWasCompactedSaysSoAndGoesOn() {
        EtcdServer member = etcd.get(0);
        Contender watcher = contender("n2", LEASE, List.of(member.address()));
        watcher.watch();
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        holder.commit(1);
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);

        member.kill();
        holder.commit(10);
        etcd.ctl("compact", Long.toString(etcd.status(etcd.get(1), "Revision")));
        member.start();
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);
        holder.commit(1);
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);

        assertThat(watcher.events).anyMatch(SeatEvent.Missed.class::isInstance);
    }

    /** The stream to a frozen member stands and says nothing; the picture tells. */
    @Test
    void aWatchAtAFrozenMemberHearsOfWhatFollows() {
        Contender watcher = contender("n2");
        watcher.watch();
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        holder.commit(1);
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);

        for (EtcdServer member : etcd.all()) {
            member.pause();
            holder.commit(3);
            watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);
            member.resume();
            etcd.awaitLeader();
        }
    }

    @Test
    void whatIsLargerThanEtcdTakesIsRefusedWithTheLimit() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());

        Appended outcome = holder.append(holder.draft(Contender.noise(2 << 20)));

        assertThat(outcome).isInstanceOf(Appended.Unavailable.class);
        assertThat(outcome.toString()).contains("2097152 bytes").contains("--max-request-bytes");
        holder.commit(holder.draft(Contender.noise(1 << 20)));
    }
}
