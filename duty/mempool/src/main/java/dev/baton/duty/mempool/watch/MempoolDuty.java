package dev.baton.duty.mempool.watch;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import dev.baton.duty.TermOverException;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.WatcherTerm;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the chain for a pool while this node holds the seat.
 *
 * <p>Its effects are fenced at the pool, which compares terms in the step that does the work. The seat's ledger keeps no
 * state of it: a pulse says how far the pool is, and comes only from a watcher that gets on with its work.
 */
public final class MempoolDuty implements Duty {

    private static final Logger LOG = LoggerFactory.getLogger(MempoolDuty.class);

    /** The ledger may forget what is older than this many entries: nobody needs it. */
    private static final int CHECKPOINT_EVERY = 100;

    private final SeatId seat;
    private final Mempool pool;
    private final BlockFeed feed;
    private volatile Height applied = Height.ZERO;

    /** Guarded by itself: whether a term begins or ends first must not be left to chance. */
    private final Object terms = new Object();

    private @Nullable WatcherTerm over;
    private @Nullable Watch watch;

    public MempoolDuty(SeatId seat, Mempool pool, BlockFeed feed) {
        this.seat = seat;
        this.pool = pool;
        this.feed = feed;
    }

    @Override
    public Fencing fencing() {
        return Fencing.AT_RESOURCE;
    }

    @Override
    public Height applied() {
        return applied;
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Ready();
    }

    @Override
    public void apply(List<Entry> entries) {
        entries.forEach(entry -> saw(entry.height()));
    }

    private void saw(Height height) {
        if (height.isAbove(applied)) {
            applied = height;
        }
    }

    /** The pool has everything; where the ledger begins does not matter. */
    @Override
    public void catchUp(Height oldest) {
        saw(new Height(oldest.value() - 1));
    }

    private WatcherTerm termOf(Tenure tenure) {
        return new WatcherTerm(seat, tenure.term().epoch());
    }

    @Override
    public void assume(Tenure tenure) {
        WatcherTerm term = termOf(tenure);
        synchronized (terms) {
            if (term.equals(over)) {
                throw new TermOverException(tenure.term());
            }
            Watch before = watch;
            if (before != null && before.term().equals(term)) {
                return;
            }
        }
        Watch begun = Watch.begin(pool, feed, term, tenure::holds);
        synchronized (terms) {
            if (!term.equals(over)) {
                watch = begun;
                return;
            }
        }
        begun.close();
        throw new TermOverException(tenure.term());
    }

    private Optional<Watch> current() {
        synchronized (terms) {
            return Optional.ofNullable(watch);
        }
    }

    @Override
    public Draft draft(Tenure tenure) {
        tenure.check();
        Watch now = current().orElseThrow(() -> new IllegalStateException("nobody watches"));
        now.check();
        Height before = tenure.head().height();
        List<Fact> facts = before.equals(Height.ZERO) || before.value() % CHECKPOINT_EVERY != 0
                ? List.of()
                : List.of(new Fact.Checkpoint(before, 1, 1, Bytes.EMPTY));
        return new Draft(Bytes.utf8(now.cursor().toString()), facts);
    }

    @Override
    public void release(Tenure tenure, Entry entry) {
        saw(entry.height());
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        Watch ending;
        synchronized (terms) {
            over = termOf(tenure);
            ending = watch;
            watch = null;
        }
        if (ending != null) {
            ending.close();
        }
    }

    @Override
    public void probe() {
        pool.stats();
    }

    /** Whether this node is the watcher, as far as it knows. */
    public boolean watches() {
        return current().isPresent();
    }

    /**
     * Tells the pool of a block, for those who are told of blocks rather than ask for them.
     *
     * <p>On a node that is not the watcher nothing is asked of the pool.
     */
    public Confirmation confirm(ChainBlock block) {
        Optional<Watch> now = current();
        if (now.isEmpty()) {
            LOG.debug("not watcher, skipping confirm");
            return new Confirmation.Skipped("this node is not the watcher");
        }
        Confirmation confirmation = pool.confirm(now.get().term(), block);
        if (confirmation instanceof Confirmation.Fenced) {
            LOG.debug("lost watcher lock, skipping confirm");
        }
        return confirmation;
    }
}
