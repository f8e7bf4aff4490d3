package dev.baton.authority.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.nats.seat.SeatNames;
import dev.baton.authority.nats.testing.NatsServer;
import dev.baton.authority.nats.testing.NatsServers;
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

/** What dies and freezes: servers, and requests on their way. */
final class ServerFailureTest {

    /** Long enough that no test loses its seat on a busy machine; those that wait for its end name a short one. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);
    private static final SeatNames NAMES = SeatNames.of(Contender.SEAT);

    @TempDir
    private Path dir;

    private NatsServers nats;
    private final List<Contender> contenders = new ArrayList<>();

    @BeforeEach
    void start() {
        nats = NatsServers.start(3, dir);
    }

    @AfterEach
    void stop() {
        contenders.forEach(Contender::close);
        nats.close();
    }

    private Contender contender(String node, Duration lease, List<String> servers) {
        Contender contender = new Contender(
                node,
                NatsSettings.of(servers).withReplicas(3).withLease(lease).withRequestTimeout(Duration.ofSeconds(2)));
        contenders.add(contender);
        return contender;
    }

    private Contender contender(String node) {
        return contender(node, LEASE, nats.addresses());
    }

    /** The stream's leader among them: then NATS elects, which takes it seconds. */
    @Test
    void appendsGoOnWhileEachServerIsKilledInTurn() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        for (NatsServer server : nats.all()) {
            server.kill();
            written.addAll(holder.commit(10));
            server.start();
            nats.awaitWhole(NAMES.stream());
        }

        assertThat(holder.ledger(Height.FIRST)).isEqualTo(written);
        assertThat(contender("n2").ledger(Height.FIRST)).isEqualTo(written);
    }

    /** A frozen server keeps its connections: only the bound of each request tells that it is gone. */
    @Test
    void appendsGoOnWhileTheLeaderOfTheStreamIsFrozen() throws Exception {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        NatsServer leader = nats.leaderOf(NAMES.stream());
        leader.pause();
        written.addAll(holder.commit(10));
        leader.resume();
        written.addAll(holder.commit(5));

        assertThat(contender("n2").ledger(Height.FIRST)).isEqualTo(written);
    }

    /**
     * INV-1, INV-3: a publish that was frozen on its way takes effect, if ever, only where nobody took over meanwhile.
     */
    @Test
    void anAppendThatWasFrozenOnItsWayChangesNothingAfterASuccessorTookOver() {
        NatsServer frozen = nats.get(0);
        Contender old = contender("n1", SHORT_LEASE, List.of(frozen.address()));
        old.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(old.commit(3));

        frozen.pause();
        Appended lost = old.append(old.draft("frozen on its way"));
        Contender successor = contender(
                "n2", SHORT_LEASE, List.of(nats.get(1).address(), nats.get(2).address()));
        assertThat(successor.take(new Claim.Vacancy()).predecessorEnded()).isEqualTo(Ending.LAPSED);
        frozen.resume();

        assertThat(lost).isInstanceOf(Appended.Indeterminate.class);
        assertThat(old.decide(old.draft("frozen on its way"))).isInstanceOf(Appended.Fenced.class);
        written.add(successor.commit(successor.draft("by the successor")));
        assertThat(successor.ledger(Height.FIRST)).isEqualTo(written);
    }

    /** INV-5: the same entry again tells what became of it. */
    @Test
    void anAppendThatTimedOutIsResolvedByRepeatingIt() {
        NatsServer frozen = nats.get(0);
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
    void withoutAnyServerNothingIsSentAndEverythingIsAnsweredWithinTheBound() {
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        Entry entry = holder.draft("nobody there");
        nats.all().forEach(NatsServer::kill);
        // The first one may still have been on its way when the connections broke.
        Contender.until(
                "told that nothing was sent", () -> holder.append(entry), Appended.Unavailable.class::isInstance);

        long begun = System.nanoTime();
        Appended outcome = holder.append(entry);

        assertThat(outcome).isInstanceOf(Appended.Unavailable.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aWatchAtAFrozenServerHearsOfWhatFollows() {
        Contender watcher = contender("n2");
        watcher.watch();
        Contender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        holder.commit(1);
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);

        nats.get(0).pause();
        holder.commit(3);
        watcher.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);
        nats.get(0).resume();
    }
}
