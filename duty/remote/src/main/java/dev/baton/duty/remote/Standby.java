package dev.baton.duty.remote;

import dev.baton.core.Seating;
import dev.baton.core.standing.Readiness;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the sequencer while this node does not hold the seat: whether it could work, and that it does not.
 *
 * <p>Has a thread of its own, because readiness is asked for by callers that must not wait.
 */
final class Standby implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Standby.class);

    private final RemoteSequencer remote;
    private final RemoteSettings settings;
    private final Supplier<HeadRecord> record;
    private final Supplier<Boolean> leads;
    private final Function<Seating, Lease> leaseOf;
    private final Duration interval;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile Optional<Seating> holder = Optional.empty();
    private volatile Looked last = new Looked.Silent("not asked yet");
    private volatile boolean strayed;

    Standby(
            RemoteSequencer remote,
            RemoteSettings settings,
            Duration interval,
            Supplier<HeadRecord> record,
            Supplier<Boolean> leads,
            Function<Seating, Lease> leaseOf) {
        this.remote = remote;
        this.settings = settings;
        this.interval = interval;
        this.record = record;
        this.leads = leads;
        this.leaseOf = leaseOf;
        this.thread = Thread.ofVirtual().name("remote-standby").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Another node holds the seat, or nobody. */
    void holder(Optional<Seating> seating) {
        holder = seating;
    }

    /** What was seen last, by this thread or by the duty. */
    Looked last() {
        return last;
    }

    void saw(Looked looked) {
        last = looked;
    }

    /** Whether the sequencer was found working although another node holds the seat, and has not stopped yet. */
    boolean hasStrayed() {
        return strayed;
    }

    private void run() {
        try {
            do {
                if (!leads.get()) {
                    look();
                }
            } while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void look() {
        Looked looked = remote.look(record.get().head());
        if (leads.get()) {
            return; // the term began meanwhile: the duty looks itself
        }
        last = looked;
        // A seat of an earlier incarnation of this node is no reason to stop what this one may adopt.
        Optional<Seating> other = holder.filter(by -> !by.term().node().equals(settings.node()));
        strayed = looked instanceof Looked.Seen(RemoteView view) && view.active() && other.isPresent();
        if (strayed) {
            LOG.warn(
                    "the sequencer at {} works, but {} holds the seat: stopping it",
                    remote.address(),
                    other.get().term());
            Stopped stopped = remote.stop(leaseOf.apply(other.get()));
            LOG.info("the sequencer at {} was asked to stop: {}", remote.address(), stopped);
        }
    }

    /** Whether the sequencer could take over, by what it said last. Does not block. */
    Readiness readiness() {
        return switch (last) {
            case Looked.Silent(String why) ->
                new Readiness.NotReady("the sequencer at " + remote.address() + " does not answer: " + why);
            case Looked.Seen(RemoteView view) ->
                objection(view)
                        .<Readiness>map(why ->
                                new Readiness.NotReady("the sequencer at " + remote.address() + " is refused: " + why))
                        .orElseGet(Readiness.Ready::new);
        };
    }

    /** INV-26: why a sequencer in this state must not be started. */
    Optional<String> objection(RemoteView view) {
        HeadRecord known = record.get();
        if (known.isFirst() && !view.active() && view.head().number() > 0 && !settings.begin()) {
            return Optional.of("the ledger is empty, and it has blocks up to " + view.head()
                    + " but does not work: another node's may (expected: a sequencer that works or has no blocks;"
                    + " remote.begin: true begins with this one)");
        }
        return Continuity.of(known.head(), view, settings.unverifiedAncestry()) instanceof Continuity.Broken(String why)
                ? Optional.of(why)
                : Optional.empty();
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
