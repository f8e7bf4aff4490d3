package dev.baton.authority.tck;

import dev.baton.authority.Authority;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where a test works: the engine, the nodes that joined it, and a seat that no other test uses.
 *
 * <p>Nodes stay joined from one test to the next, because joining may take an engine a second.
 */
public final class Bench implements AutoCloseable {

    /** Those that never share a member of the engine. */
    private static final Set<NodeId> MEMBERS = Set.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));

    private final EngineFixture engine;
    private final Map<NodeId, Authority> joined = new HashMap<>();
    private final List<Contender> contenders = new ArrayList<>();
    private final String run = Long.toString(System.nanoTime() & 0xffff_ffffL, 36);
    private final Set<NodeId> silent = new HashSet<>();
    private final Set<Term> over = ConcurrentHashMap.newKeySet();
    private int seats;
    private SeatId seat;

    Bench(EngineFixture engine) {
        this.engine = engine;
        this.seat = newSeat();
    }

    /** The seat of this test. */
    SeatId seat() {
        return seat;
    }

    /** One more seat that nobody has used. */
    SeatId newSeat() {
        return SeatId.of("tck", "seat-" + run + "-" + ++seats);
    }

    Patience patience() {
        return new Patience(engine.patience());
    }

    Duration lease() {
        return engine.lease();
    }

    /** Node {@code n<number>}, in an incarnation of its own, contending for this test's seat. */
    Contender contender(int number) {
        return contender(new NodeId("n" + number));
    }

    private Contender contender(NodeId node) {
        return enlist(new Holder(node, newIncarnation()), authority(node));
    }

    /** The same process over another way to reach the engine. */
    Contender over(Authority authority, Contender contender) {
        return enlist(contender.holder(), authority);
    }

    private Contender enlist(Holder holder, Authority authority) {
        Contender contender = new Contender(holder, authority, seat, patience(), over);
        contenders.add(contender);
        return contender;
    }

    private Authority authority(NodeId node) {
        Authority known = joined.get(node);
        return known == null ? join(node) : known;
    }

    private Authority join(NodeId node) {
        Authority authority = unchecked(() -> engine.join(node));
        silent.remove(node);
        if (MEMBERS.contains(node)) {
            joined.keySet().retainAll(MEMBERS); // the others may have shared the member that is gone
        }
        joined.put(node, authority);
        return authority;
    }

    static Incarnation newIncarnation() {
        return new Incarnation(ThreadLocalRandom.current().nextLong());
    }

    /** The node's process ends without a word, and starts again. */
    Contender restart(Contender contender) {
        contenders.remove(contender);
        join(contender.node());
        return contender(contender.node());
    }

    /** The node's process renews nothing from now on. */
    void silence(Contender contender) {
        contenders.remove(contender);
        joined.remove(contender.node());
        silent.add(contender.node());
        unchecked(() -> {
            engine.silence(contender.node());
            return true;
        });
    }

    /** The node's process leaves the engine in good order, but without resigning. */
    void leaveEngine(Contender contender) {
        contenders.remove(contender);
        joined.remove(contender.node());
        silent.add(contender.node());
        contender.authority().close();
    }

    /** The engine stops and starts; returns the same processes, connected anew, in the same order. */
    List<Contender> restartEngine(Contender... survivors) {
        contenders.clear();
        unchecked(() -> {
            engine.restartEngine();
            return true;
        });
        joined.clear();
        List<Contender> again = new ArrayList<>();
        for (Contender survivor : survivors) {
            again.add(enlist(survivor.holder(), authority(survivor.node())));
        }
        return again;
    }

    /** Gives up what the test still holds, so that the next one finds an engine at rest. */
    void tidy() {
        contenders.forEach(Contender::leave);
        contenders.clear();
        seat = newSeat();
        List.copyOf(silent).forEach(this::join);
    }

    @Override
    public void close() {
        unchecked(() -> {
            engine.close();
            return true;
        });
    }

    private interface Action<R> {
        R run() throws Exception;
    }

    private static <R> R unchecked(Action<R> action) {
        try {
            return action.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the engine's fixture failed", e);
        }
    }
}
