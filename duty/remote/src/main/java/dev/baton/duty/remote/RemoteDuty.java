package dev.baton.duty.remote;

import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import dev.baton.process.FencingCount;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a sequencer of another process under the seat: its pulse is a look that found it advancing.
 *
 * <p>The order is what makes it safe: the term's first record is committed, then the sequencer is started; each further
 * record renews its lease; and it is proven to have stopped before the seat is given back.
 */
public final class RemoteDuty implements Duty, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteDuty.class);
    private static final int CHECKPOINT_EVERY = 64;

    private final SeatId seat;
    private final RemoteSequencer remote;
    private final RemoteSettings settings;
    private final SeatTimings timings;
    private final Standby standby;
    private final Stopping stopping;
    private volatile HeadRecord record = HeadRecord.NONE;
    private volatile Height applied = Height.ZERO;
    private volatile @Nullable Watched watched;

    private RemoteDuty(SeatId seat, RemoteSequencer remote, RemoteSettings settings, SeatTimings timings) {
        this.seat = seat;
        this.remote = remote;
        this.settings = settings;
        this.timings = timings;
        this.stopping = new Stopping(remote, settings.callTimeout());
        this.standby = new Standby(
                remote,
                settings,
                timings.interval(),
                () -> record,
                this::leads,
                by -> lease(by.term().epoch(), by.term().node(), Optional.empty()));
    }

    /** Begins to look after the sequencer; it is closed with the duty. Whether it answers shows in the readiness. */
    public static RemoteDuty open(SeatId seat, RemoteSequencer remote, RemoteSettings settings, SeatTimings timings) {
        RemoteDuty duty = new RemoteDuty(seat, remote, settings, timings);
        duty.standby.start();
        return duty;
    }

    private boolean leads() {
        return watched != null;
    }

    private Lease lease(Epoch epoch, NodeId holder, Optional<PeerTime> until) {
        return new Lease(seat, epoch, holder, record.head(), until);
    }

    /** What the ledger has. */
    public HeadRecord record() {
        return record;
    }

    /** The sequencer as it was seen last. */
    public Looked lastLook() {
        return standby.last();
    }

    /** How long the head of a working sequencer has stood still; zero while this node does not hold the seat. */
    public Duration headAge() {
        Watched current = watched;
        return current == null ? Duration.ZERO : current.headAge();
    }

    /** Whether the sequencer works although another node holds the seat: an emergency if it lasts. */
    public boolean hasStrayed() {
        return standby.hasStrayed();
    }

    public FencingCount count() {
        return stopping.count();
    }

    @Override
    public Fencing fencing() {
        return Fencing.AT_PROCESS; // each node has a sequencer of its own: no successor can fence another node's
    }

    @Override
    public Height applied() {
        return applied;
    }

    @Override
    public Readiness readiness() {
        return leads() ? new Readiness.Ready() : standby.readiness();
    }

    @Override
    public void apply(List<Entry> entries) {
        Entry last = entries.getLast();
        record = HeadRecord.decode(last.payload());
        applied = last.height();
    }

    /** Each record is the whole state, so the duty can begin wherever the ledger does. */
    @Override
    public void catchUp(Height oldest) {
        applied = new Height(oldest.value() - 1);
    }

    @Override
    public void holderChanged(Optional<Seating> holder) {
        standby.holder(holder);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        see(); // fails for one that must not be started
        Watched current = watched;
        if (current == null || !current.isUnder(tenure)) {
            watched = new Watched(remote, settings, tenure, new LeaseGrants(timings.clockRateBound()));
        }
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        Watched current = under(tenure);
        RemoteView view = see();
        current.saw(view);
        BlockRef next = current.isStarted() ? current.working(view).orElse(record.head()) : beginning(view);
        HeadRecord drafted =
                new HeadRecord(next, view.head().number(), settings.node().value());
        Height head = tenure.head().height();
        boolean checkpoint = head.value() > 0 && head.value() % CHECKPOINT_EVERY == 0;
        return new Draft(
                drafted.encode(), checkpoint ? List.of(new Fact.Checkpoint(head, 1, 1, drafted.encode())) : List.of());
    }

    /** An empty ledger begins where the sequencer is; any other goes on from what it has. */
    private BlockRef beginning(RemoteView view) {
        return record.isFirst() ? view.head() : record.head();
    }

    private RemoteView see() throws IOException {
        Looked looked = remote.look(record.head());
        standby.saw(looked);
        return switch (looked) {
            case Looked.Silent(String why) ->
                throw new IOException("the sequencer at " + remote.address() + " does not answer: " + why);
            case Looked.Seen(RemoteView view) -> {
                Optional<String> objection = standby.objection(view);
                if (objection.isPresent()) {
                    throw new IOException("the sequencer at " + remote.address() + " is refused: " + objection.get());
                }
                yield view;
            }
        };
    }

    private Watched under(Tenure tenure) throws IOException {
        Watched current = watched;
        if (current == null || !current.isUnder(tenure)) {
            throw new IOException("the term " + tenure.term() + " is not taken up");
        }
        return current;
    }

    /** The record is committed: the sequencer may work, as far as the term is renewed now. */
    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        record = HeadRecord.decode(entry.payload());
        applied = entry.height();
        under(tenure).allow(until -> lease(tenure.term().epoch(), tenure.term().node(), until));
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        Watched current = watched;
        if (current != null && current.isUnder(tenure)) {
            Watched.Ended ended = current.end();
            if (ended.asked()) {
                stopping.untilProven(
                        lease(tenure.term().epoch(), tenure.term().node(), Optional.empty()),
                        why,
                        ended.startUnknown(),
                        ended.leases()::areOver);
            } else {
                LOG.info("the sequencer at {} was not started under {}", remote.address(), tenure.term());
            }
            standby.saw(new Looked.Silent("not asked since the term ended"));
            watched = null;
        }
    }

    @Override
    public void probe() throws Exception {
        see();
    }

    @Override
    public void close() {
        standby.close();
        remote.close();
    }
}
