package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.BrokenInvariantException;
import dev.baton.duty.DecoratedDuty;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A duty whose whole state is in the ledger, on a node that remembers how far it had followed that.
 *
 * <p>INV-12: an engine that was put back from a backup, or wiped, would have a duty begin again where it once was, and do
 * again what was done since. So this node does not lead before it has followed the ledger as far as ever, and not at all
 * if it finds something else there. A new era is another ledger: what was followed before says nothing about it.
 */
final class RememberingDuty extends DecoratedDuty {

    private static final Logger LOG = LoggerFactory.getLogger(RememberingDuty.class);

    /** By then a node that only catches up has usually done so. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final MarkFile file;
    private final LedgerMark known;
    private final long sinceNanos = System.nanoTime();
    private final AtomicBoolean complained = new AtomicBoolean();
    private volatile LedgerMark latest;
    private volatile @Nullable String contradiction;
    private LedgerMark saved;

    private RememberingDuty(Duty duty, MarkFile file, LedgerMark known) {
        super(duty);
        this.file = file;
        this.known = known;
        this.latest = known;
        this.saved = known;
    }

    static RememberingDuty of(Duty duty, SeatId seat, Path data) throws NodeFailure {
        MarkFile file = MarkFile.of(data, seat.seat());
        LedgerMark known = file.read().orElse(LedgerMark.none(seat));
        if (!known.seat().cluster().equals(seat.cluster())
                || !known.seat().seat().equals(seat.seat())
                || known.seat().era().compareTo(seat.era()) > 0) {
            throw new NodeFailure(
                    ExitCode.DATA_FOLDER,
                    "data: " + file + " is of " + known.seat() + " (expected: " + seat + ", or an era before it)");
        }
        return new RememberingDuty(duty, file, known.seat().equals(seat) ? known : LedgerMark.none(seat));
    }

    /** Why a seat that its engine knows nothing of must not be founded: this node has followed it. */
    static Optional<String> lost(SeatId seat, Path data) throws NodeFailure {
        MarkFile file = MarkFile.of(data, seat.seat());
        return file.read()
                .filter(mark -> mark.seat().equals(seat))
                .map(mark -> seat + " is kept nowhere, but " + file + " says that this node had followed it up to "
                        + mark + ": it was founded and is lost (expected: the engine's own data put back, or era: "
                        + (seat.era().value() + 1) + " for this seat on all nodes)");
    }

    @Override
    public Readiness readiness() {
        return refusal().<Readiness>map(Readiness.NotReady::new).orElseGet(super::readiness);
    }

    private Optional<String> refusal() {
        String found = contradiction;
        if (found != null) {
            return Optional.of(found);
        }
        if (!applied().isBelow(known.height())) {
            return Optional.empty();
        }
        String behind =
                known.seat() + " is followed up to height " + applied() + ", but this node had followed it up to "
                        + known
                        + " (expected: at least as far; wait while the engine's servers catch up; if they were wiped or put"
                        + " back from a backup, give them their newest data, or raise the era: docs/runbooks/forgetful-engine.md)";
        if (System.nanoTime() - sinceNanos > PATIENCE_NANOS && complained.compareAndSet(false, true)) {
            LOG.error("{}", behind);
        }
        return Optional.of(behind);
    }

    @Override
    public void apply(List<Entry> entries) throws Exception {
        entries.forEach(this::compare);
        super.apply(entries);
        entries.forEach(this::note);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        requireAsFarAsEver();
        super.assume(tenure);
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        compare(entry);
        super.release(tenure, entry);
        note(entry);
    }

    @Override
    public void probe() throws Exception {
        requireAsFarAsEver();
        super.probe();
    }

    private void requireAsFarAsEver() {
        refusal().ifPresent(why -> {
            throw new IllegalStateException(why);
        });
    }

    /** Also against what this process has followed: the engine may be put back while it runs. */
    private void compare(Entry entry) {
        LedgerMark followed = latest;
        if (!followed.fits(entry)) {
            String found = followed.seat() + " has " + entry + ", but this node had followed it up to " + followed
                    + " (expected: the ledger that was followed; the engine was wiped or put back from a backup, and"
                    + " others have gone on from there: docs/runbooks/forgetful-engine.md)";
            contradiction = found;
            throw new BrokenInvariantException(found);
        }
    }

    /** Below the mark a node that starts only reads again what it had read before. */
    private void note(Entry entry) {
        if (entry.height().isAbove(latest.height())) {
            latest = latest.movedTo(entry);
        }
    }

    /** Writes down how far the ledger is followed now, unless that is written already. */
    synchronized void save() throws IOException {
        LedgerMark now = latest;
        if (!now.equals(saved)) {
            file.write(now);
            saved = now;
        }
    }
}
