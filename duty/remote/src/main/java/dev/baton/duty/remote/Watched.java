package dev.baton.duty.remote;

import dev.baton.duty.Tenure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequencer under one term: started once, judged at each pulse, and never started again after the term's end.
 *
 * <p>Used by the duty's thread; only {@link #end} and the plain questions come from others.
 */
final class Watched {

    private static final Logger LOG = LoggerFactory.getLogger(Watched.class);

    /**
     * What must be known about a term that ended.
     *
     * @param asked whether the sequencer was asked to work under it at all
     * @param startUnknown whether what became of the last such request is not known
     */
    record Ended(boolean asked, boolean startUnknown, LeaseGrants leases) {}

    private record Sight(RemoteView view, long seenNanos) {}

    private final RemoteSequencer remote;
    private final RemoteSettings settings;
    private final Tenure tenure;
    private final LeaseGrants leases;
    private final HeadTrail trail = new HeadTrail();

    /** Held while a start is under way, so that whoever stops the sequencer comes after it. */
    private final ReentrantLock starting = new ReentrantLock();

    private @Nullable Sight last;
    private volatile boolean started;
    private volatile boolean ended;
    private boolean asked;
    private boolean startUnknown;

    Watched(RemoteSequencer remote, RemoteSettings settings, Tenure tenure, LeaseGrants leases) {
        this.remote = remote;
        this.settings = settings;
        this.tenure = tenure;
        this.leases = leases;
    }

    boolean isUnder(Tenure other) {
        return tenure.term().equals(other.term());
    }

    boolean isStarted() {
        return started;
    }

    Duration headAge() {
        synchronized (trail) {
            return trail.age(System.nanoTime());
        }
    }

    void saw(RemoteView view) {
        last = new Sight(view, System.nanoTime());
    }

    /**
     * Judges a sequencer that should be working; fails if it does not, or not well.
     *
     * @return a new head for the ledger, if others had time to follow it
     */
    Optional<BlockRef> working(RemoteView view) throws IOException {
        if (!view.active()) {
            started = false; // the next record starts it again
            throw new IOException("the sequencer at " + remote.address() + " has stopped by itself"
                    + view.problem().map(": "::concat).orElse(""));
        }
        long nowNanos = System.nanoTime();
        Optional<BlockRef> settled;
        Duration age;
        synchronized (trail) {
            trail.note(view.head(), nowNanos);
            age = trail.age(nowNanos);
            settled = trail.settled(settings.recordAfter(), nowNanos);
        }
        if (age.compareTo(settings.maxHeadAge()) > 0) {
            throw new IOException("the head " + view.head() + " of the sequencer at " + remote.address()
                    + " has stood still for " + age.toMillis() + " ms (expected: at most "
                    + settings.maxHeadAge().toMillis() + ")");
        }
        OptionalLong peers = view.peers();
        if (peers.isPresent() && peers.getAsLong() < settings.minPeers()) {
            throw new IOException("the sequencer at " + remote.address() + " has " + peers.getAsLong()
                    + " peers (expected: " + settings.minPeers() + " or more)");
        }
        if (view.problem().isPresent()) {
            throw new IOException("the sequencer at " + remote.address() + " is not healthy: "
                    + view.problem().get());
        }
        return settled;
    }

    /** Starts the sequencer, adopts it if it works already, or renews its lease if it keeps one. */
    void allow(Function<Optional<PeerTime>, Lease> lease) throws IOException {
        Sight seen = last;
        if (seen == null) {
            throw new IOException("the sequencer at " + remote.address() + " was not looked at yet");
        }
        if (started && seen.view().clock().isEmpty()) {
            return;
        }
        starting.lock();
        try {
            if (ended) {
                throw new IOException("the term " + tenure.term() + " has ended");
            }
            tenure.check(); // INV-6
            Optional<PeerTime> until = leases.grant(tenure, seen.view().clock(), seen.seenNanos());
            asked = true;
            startUnknown = true;
            Started outcome = remote.start(seen.view().head(), lease.apply(until));
            startUnknown = outcome instanceof Started.Unknown;
            switch (outcome) {
                case Started.Active() -> begun(seen.view());
                case Started.Refused(String why) ->
                    throw new IOException("the sequencer at " + remote.address() + " refuses to work: " + why);
                case Started.Unknown(String why) ->
                    throw new IOException(
                            "whether the sequencer at " + remote.address() + " works is not known: " + why);
            }
        } finally {
            starting.unlock();
        }
    }

    private void begun(RemoteView view) {
        if (!started) {
            started = true;
            LOG.info(
                    "the sequencer at {} {} under {} at {}",
                    remote.address(),
                    view.active() ? "works on, adopted" : "was started",
                    tenure.term(),
                    view.head());
        }
    }

    /** No start after this; waits for one that is under way. */
    Ended end() {
        ended = true;
        starting.lock();
        try {
            return new Ended(asked, startUnknown, leases);
        } finally {
            starting.unlock();
        }
    }
}
