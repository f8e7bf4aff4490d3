package dev.baton.authority.raft;

import dev.baton.core.Ending;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the terms of holders that have stopped committing.
 *
 * <p>The engine's heartbeats go on while a driver hangs, so Raft alone would leave it in the seat. This member leads
 * whenever one of its holders does, so it is the one to notice: on a thread of its own, independent of any driver.
 * It also makes a witness give the leadership away, has connections made anew while there is no leader or a follower is
 * silent, and notices when the engine has given this member up.
 */
final class LeaseGuard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseGuard.class);

    /** What the guard does when nothing else helps. */
    interface LastResort {
        void leave(String why);
    }

    private final RaftParts parts;
    private final LastResort lastResort;
    private final long leaseNanos;
    private final ScheduledExecutorService timer;

    private final Reconnects reconnects;

    /** Terms that should be over, and since when. */
    private final Map<Term, Long> overdue = new HashMap<>();

    LeaseGuard(RaftParts parts, LastResort lastResort) {
        this.parts = parts;
        this.lastResort = lastResort;
        this.leaseNanos = parts.settings().lease().toNanos();
        this.reconnects = new Reconnects(
                parts.member()::reconnect,
                silent -> parts.member().reconnect(silent, "it does not answer"),
                parts.settings().times().electionMax());
        this.timer = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                .name("baton-raft-lease-" + parts.member().id())
                .daemon()
                .factory());
    }

    void start() {
        Duration lease = parts.settings().lease();
        long everyMillis = Math.clamp(lease.toMillis() / 20, 5, 100);
        var unused = timer.scheduleWithFixedDelay(this::tick, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            if (!parts.member().isAlive()) {
                lastResort.leave("the engine has stopped this member: it was removed from the group, or failed");
                return;
            }
            Footing footing = parts.member().footing();
            reconnects.tick(footing.leader().isPresent(), System.nanoTime());
            reconnects.heard(footing.leads() ? parts.member().silences() : Map.of(), System.nanoTime());
            if (!footing.leads()) {
                overdue.clear();
            } else if (parts.settings().isWitness(parts.settings().node())) {
                parts.leadership().giveAway(footing.term());
            } else {
                endOverdue(footing.term());
            }
        } catch (RuntimeException e) {
            LOG.error("{}: guarding leases failed; trying again", parts.member().id(), e);
        }
    }

    private void endOverdue(long raftTerm) {
        long nowNanos = System.nanoTime();
        Map<Term, Long> stillOverdue = new HashMap<>();
        for (RaftLedger.HeldSeat held : parts.ledger().held()) {
            Term term = held.term();
            if (term.epoch().value() != raftTerm || nowNanos - held.renewedNanos() < leaseNanos) {
                continue;
            }
            Long since = overdue.get(term);
            stillOverdue.put(term, since == null ? nowNanos : since);
            if (since == null) {
                lapse(held.id(), term);
            } else if (nowNanos - since > leaseNanos) {
                lastResort.leave("term " + term + " of " + held.id() + " cannot be ended: the log takes nothing");
                return;
            }
        }
        overdue.clear();
        overdue.putAll(stillOverdue);
    }

    private void lapse(SeatId seat, Term term) {
        LOG.warn(
                "{}: {} has committed nothing for {}: its term ends",
                seat,
                term,
                parts.settings().lease());
        var unused = parts.member()
                .submit(new Command.End(seat, term, Ending.LAPSED))
                .thenAccept(submitted -> LOG.debug("{}: end of {}: {}", seat, term, submitted));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
