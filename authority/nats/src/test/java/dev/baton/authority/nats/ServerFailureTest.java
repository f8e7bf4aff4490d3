package dev.baton.authority.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.nats.seat.SeatNames;
import dev.baton.authority.nats.testing.NatsServer;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.tck.PatientContender;
import dev.baton.authority.tck.ServerFailureTests;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dies and freezes: servers, and requests on their way. */
final class ServerFailureTest extends ServerFailureTests {

    private static final SeatNames NAMES = SeatNames.of(PatientContender.SEAT);

    private NatsServers nats;

    @BeforeEach
    void start(@TempDir Path dir) {
        nats = NatsServers.start(3, dir);
    }

    @Override
    protected void stopServers() {
        nats.close();
    }

    @Override
    protected List<NatsServer> servers() {
        return nats.all();
    }

    @Override
    protected void awaitWhole() {
        nats.awaitWhole(NAMES.stream());
    }

    @Override
    protected Authority open(Duration lease, List<String> addresses) {
        return NatsAuthority.openUnchecked(
                NatsSettings.of(addresses).withReplicas(3).withLease(lease).withRequestTimeout(REQUEST));
    }

    /** Nothing in NATS knows of leases: a follower counts for itself how long nothing has changed. */
    @Override
    protected Duration successorLease() {
        return SHORT_LEASE;
    }

    /** A frozen server keeps its connections: only the bound of each request tells that it is gone. */
    @Test
    void appendsGoOnWhileTheLeaderOfTheStreamIsFrozen() throws Exception {
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        NatsServer leader = nats.leaderOf(NAMES.stream());
        leader.pause();
        written.addAll(holder.commit(10));
        leader.resume();
        written.addAll(holder.commit(5));

        assertThat(contender("n2").ledger(Height.FIRST)).isEqualTo(written);
    }

    @Test
    void aWatchAtAFrozenServerHearsOfWhatFollows() {
        PatientContender watcher = contender("n2");
        watcher.watch();
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        holder.commit(1);
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);

        nats.get(0).pause();
        holder.commit(3);
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);
        nats.get(0).resume();
    }
}
