package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Authority;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What must hold on any engine of three servers while these die and freeze, and requests are on their way. */
public abstract class ServerFailureTests {

    /** Long enough that no test loses its seat on a busy machine; those that wait for its end name a short one. */
    protected static final Duration LEASE = Duration.ofSeconds(60);

    protected static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    /** How long one request may take, whatever happens to the servers. */
    protected static final Duration REQUEST = Duration.ofSeconds(2);

    private final List<PatientContender> contenders = new ArrayList<>();

    protected abstract void stopServers();

    /** The three, which were started before the test. */
    protected abstract List<? extends EngineServer> servers();

    /** Returns when any one of the servers may be lost: all the others have everything. */
    protected abstract void awaitWhole();

    /** A connection to these servers, with this lease, whose requests take {@link #REQUEST} at most. */
    protected abstract Authority open(Duration lease, List<String> addresses);

    /** The lease of one who waits for the end of a {@link #SHORT_LEASE}; short too where a follower goes by its own. */
    protected Duration successorLease() {
        return LEASE;
    }

    @AfterEach
    final void stop() {
        contenders.forEach(PatientContender::close);
        stopServers();
    }

    protected final PatientContender contender(String node, Duration lease, List<String> addresses) {
        PatientContender contender = new PatientContender(node, open(lease, addresses));
        contenders.add(contender);
        return contender;
    }

    protected final PatientContender contender(String node) {
        return contender(
                node, LEASE, servers().stream().map(EngineServer::address).toList());
    }

    /** The engine's own leader among them. */
    @Test
    void appendsGoOnWhileEachServerIsKilledInTurn() {
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(holder.commit(5));

        for (EngineServer server : servers()) {
            server.kill();
            written.addAll(holder.commit(10));
            server.start();
            awaitWhole();
        }

        assertThat(holder.ledger(Height.FIRST)).isEqualTo(written);
        assertThat(contender("n2").ledger(Height.FIRST)).isEqualTo(written);
    }

    /**
     * INV-1, INV-3: a request that was frozen on its way takes effect, if ever, only where nobody took over meanwhile.
     */
    @Test
    void anAppendThatWasFrozenOnItsWayChangesNothingAfterASuccessorTookOver() {
        EngineServer frozen = servers().get(0);
        PatientContender old = contender("n1", SHORT_LEASE, List.of(frozen.address()));
        old.take(new Claim.Vacancy());
        List<Entry> written = new ArrayList<>(old.commit(3));

        frozen.pause();
        Appended lost = old.append(old.draft("frozen on its way"));
        PatientContender successor = contender(
                "n2",
                successorLease(),
                List.of(servers().get(1).address(), servers().get(2).address()));
        assertThat(successor.take(new Claim.Vacancy()).predecessorEnded()).isEqualTo(Ending.LAPSED);
        frozen.resume();

        assertThat(lost).isInstanceOf(Appended.Indeterminate.class);
        assertThat(old.decide(old.draft("frozen on its way"))).isInstanceOf(Appended.Fenced.class);
        written.add(successor.commit(successor.draft("by the successor")));
        assertThat(contender("n3").ledger(Height.FIRST)).isEqualTo(written);
    }

    /** INV-5: the same entry again tells what became of it. */
    @Test
    void anAppendThatTimedOutIsResolvedByRepeatingIt() {
        EngineServer frozen = servers().get(0);
        PatientContender holder = contender("n1", LEASE, List.of(frozen.address()));
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
        PatientContender holder = contender("n1");
        holder.take(new Claim.Vacancy());
        Entry entry = holder.draft("nobody there");
        servers().forEach(EngineServer::kill);
        // The first one may still have been on its way when the connections broke.
        PatientContender.until(
                "told that nothing was sent", () -> holder.append(entry), Appended.Unavailable.class::isInstance);

        long begun = System.nanoTime();
        Appended outcome = holder.append(entry);

        assertThat(outcome).isInstanceOf(Appended.Unavailable.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(REQUEST.multipliedBy(10));
    }
}
