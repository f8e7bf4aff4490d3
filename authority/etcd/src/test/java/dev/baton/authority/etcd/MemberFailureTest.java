package dev.baton.authority.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Authority;
import dev.baton.authority.Look;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.etcd.testing.EtcdServer;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.tck.PatientContender;
import dev.baton.authority.tck.ServerFailureTests;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dies and freezes: members of etcd, leases, and requests on their way. */
final class MemberFailureTest extends ServerFailureTests {

    private EtcdServers etcd;

    @BeforeEach
    void start(@TempDir Path dir) {
        etcd = EtcdServers.start(3, dir);
    }

    @Override
    protected void stopServers() {
        etcd.close();
    }

    @Override
    protected List<EtcdServer> servers() {
        return etcd.all();
    }

    @Override
    protected void awaitWhole() {
        etcd.awaitLeader();
    }

    @Override
    protected Authority open(Duration lease, List<String> addresses) {
        return EtcdAuthority.openUnchecked(
                EtcdSettings.of(addresses).withLease(lease).withRequestTimeout(REQUEST));
    }

    /** A frozen member keeps its connections: only the bound of each request tells that it is gone. */
    @Test
    void appendsGoOnWhileEachMemberIsFrozenInTurn() {
        PatientContender holder = contender("n1");
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
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        etcd.leader().kill();
        written.addAll(holder.commit(20));

        assertThat(holder.ledger(Height.FIRST)).isEqualTo(written);
        Look.Held look = (Look.Held) contender("n2").look();
        assertThat(look.by().term()).isEqualTo(holder.term());
    }

    @Test
    void aRevokedLeaseEndsTheTerm() {
        PatientContender holder = contender("n1");
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
        PatientContender watcher = contender("n3");
        watcher.watch();
        PatientContender first = contender("n1");
        first.take(new Claim.Vacancy());
        first.commit(2);
        String oldLease = onlyLease();

        PatientContender second = contender("n2");
        assertThat(second.take(new Claim.Evidence(first.term())).predecessorEnded())
                .isEqualTo(Ending.REPLACED);
        etcd.ctl("lease", "revoke", oldLease);
        second.commit(2);
        PatientContender third = contender("n3");
        assertThat(third.take(new Claim.ByTicket(second.ticketFor(third))).predecessorEnded())
                .isEqualTo(Ending.HANDED_OFF);
        third.commit(1);

        watcher.awaitEvent(new SeatEvent.Advanced(third.head())::equals);
        assertThat(watcher.events().stream().filter(SeatEvent.Vacated.class::isInstance))
                .as("the vacancy before the first term, and none since")
                .containsExactly(new SeatEvent.Vacated(Ending.NONE));
        assertThat(third.term().epoch()).isGreaterThan(second.term().epoch());
    }

    /** Nothing but a commit renews: a holder that only looks on loses its seat. */
    @Test
    void lookingAndReadingDoNotKeepTheSeat() {
        PatientContender holder = contender("n1", SHORT_LEASE, etcd.addresses());
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
        assertThat(holder.append(holder.draft("too late"))).isInstanceOf(Appended.Fenced.class);
    }

    @Test
    void aWatchWhoseRevisionWasCompactedSaysSoAndGoesOn() {
        EtcdServer member = etcd.get(0);
        PatientContender watcher = contender("n2", LEASE, List.of(member.address()));
        watcher.watch();
        PatientContender holder = contender("n1");
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

        assertThat(watcher.events()).anyMatch(SeatEvent.Missed.class::isInstance);
    }

    /** The stream to a frozen member stands and says nothing; the picture tells. */
    @Test
    void aWatchAtAFrozenMemberHearsOfWhatFollows() {
        PatientContender watcher = contender("n2");
        watcher.watch();
        PatientContender holder = contender("n1");
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
        assertThat(watcher.events()).contains(new SeatEvent.Missed("the watch fell silent"));
    }

    @Test
    void whatIsLargerThanEtcdTakesIsRefusedWithTheLimit() {
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());

        Appended outcome = holder.append(holder.draft(PatientContender.noise(2 << 20)));

        assertThat(outcome).isInstanceOf(Appended.Unavailable.class);
        assertThat(outcome.toString()).contains("2097152 bytes").contains("--max-request-bytes");
        holder.commit(holder.draft(PatientContender.noise(1 << 20)));
    }
}
