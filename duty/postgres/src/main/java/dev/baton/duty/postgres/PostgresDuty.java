package dev.baton.duty.postgres;

import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import dev.baton.process.FencingCount;
import dev.baton.process.Supervised;
import dev.baton.process.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The duty of a PostgreSQL cluster: the holder's server is the primary, and its pulse a write to it.
 *
 * <p>The order of a takeover is what makes it safe: the term's first record is committed, then the server is promoted;
 * and of a loss: the server is proven to be down, then the seat is given back.
 */
public final class PostgresDuty implements Duty, AutoCloseable {

    private static final int CHECKPOINT_EVERY = 64;

    /** Making a database, or the end of a long recovery, takes its time; each pulse tells that it goes on. */
    private static final Duration PROMOTION_PATIENCE = Duration.ofSeconds(60);

    private final PostgresSettings settings;
    private final Supervised supervised;
    private final Server server;
    private final Sight sight = new Sight();
    private final Keeper keeper;
    private final Database pulse;
    private volatile ClusterRecord record = ClusterRecord.NONE;
    private volatile Height applied = Height.ZERO;
    private final AtomicReference<Keeper.@Nullable Leading> leading = new AtomicReference<>();
    private volatile long promotedByNanos;
    private volatile @Nullable NewPlan newPlan;

    /** What the next record shall say of a switchover to come. */
    private record NewPlan(Optional<ClusterRecord.Plan> plan) {}

    private PostgresDuty(PostgresSettings settings, SeatTimings timings, Programs programs) throws IOException {
        this.settings = settings;
        Path data = settings.folder().toRealPath().resolve("data");
        this.supervised = new Supervised(new Workload.InFolder(data), settings.ladder(), timings, settings.folder());
        this.server = new Server(settings, programs, supervised);
        this.pulse = new Database(Server.localHost(settings), settings.port(), programs.superuser(), timings.timeout());
        this.keeper = new Keeper(settings, server, programs, sight, () -> record, this::current);
    }

    /** Stops whatever an earlier incarnation left running, and begins to follow. Fails with words, and touches no data. */
    public static PostgresDuty open(PostgresSettings settings, SeatTimings timings)
            throws IOException, InterruptedException {
        Programs programs = new Programs(settings);
        programs.prepare();
        PostgresDuty duty = new PostgresDuty(settings, timings, programs);
        duty.supervised.stop("left behind by an earlier incarnation");
        duty.checkVersion(programs);
        duty.supervised.guard();
        duty.keeper.start();
        return duty;
    }

    private void checkVersion(Programs programs) throws IOException, InterruptedException {
        String said = programs.run(Duration.ofSeconds(10), "postgres", "--version");
        String version = said.replaceFirst(".*\\) ", "").replaceFirst("[^0-9].*", "");
        if (Integer.parseInt(version) < 14) {
            throw new IOException("postgres.programs: " + said + " (expected: PostgreSQL 14 or later)");
        }
        Path file = settings.data().resolve("PG_VERSION");
        String written = Files.exists(file) ? Files.readString(file).strip() : version;
        if (!written.equals(version)) {
            throw new IOException(settings.data() + ": written by PostgreSQL " + written + " (expected: " + version
                    + ", which is what postgres.programs has); nothing in it was touched");
        }
    }

    /** The term of this node, as long as it holds: a late word of one that is over must not bring it back. */
    private Keeper.@Nullable Leading current() {
        Keeper.Leading term = leading.get();
        return term != null && term.tenure().holds() ? term : null;
    }

    /** The server here, as last seen. */
    public View view() {
        return sight.view();
    }

    /** What the ledger says of the whole. */
    public ClusterRecord record() {
        return record;
    }

    public PostgresSettings settings() {
        return settings;
    }

    public FencingCount count() {
        return supervised.count();
    }

    /** How far the server here is behind the last position in the ledger. */
    public long lagBytes() {
        return sight.view().position().behind(record.position());
    }

    /**
     * Plans a switchover, or takes the plan back; the next record carries it. Only where clients can write now.
     *
     * @return whether this node could note it
     */
    public boolean plan(Optional<ClusterRecord.Plan> plan) {
        Keeper.Leading term = current();
        if (term == null || !isPrimary()) {
            return false;
        }
        newPlan = new NewPlan(plan);
        term.tenure().requestPulse();
        return true;
    }

    /** This node's standby shall have every commit, because it is to take over; empty for none in particular. */
    public void want(String node) {
        keeper.primary.want(node);
        keeper.nudge();
    }

    /** Whether the ledger says that this node has every commit of which a client was told; always, where none waits. */
    public boolean isComplete(String node) {
        return settings.mode() == PostgresSettings.Mode.ASYNCHRONOUS
                || record.complete().contains(node);
    }

    /**
     * Copies everything anew from the primary, as soon as there is one. What is here is kept until the copy is complete.
     *
     * @return why not; nothing if it is going to happen
     */
    public Optional<String> reinitialise() {
        if (current() != null) {
            return Optional.of(settings.node() + " is the primary (expected: a standby; move the primary first)");
        }
        keeper.standby.wantCopy();
        keeper.nudge();
        return Optional.empty();
    }

    /** Whether clients can write here now. */
    public boolean isPrimary() {
        Keeper.Leading term = current();
        return term != null && keeper.primary.serves(term.tenure());
    }

    @Override
    public Fencing fencing() {
        return Fencing.AT_PROCESS;
    }

    @Override
    public Height applied() {
        return applied;
    }

    @Override
    public Readiness readiness() {
        return current() == null ? eligible() : new Readiness.Ready();
    }

    /** Whether the server here may become the primary, by what the ledger says and where it stands itself. */
    private Readiness eligible() {
        ClusterRecord known = record;
        View seen = sight.view();
        if (!known.isInitialised()) {
            return settings.initialise() || !sight.systemId().isEmpty()
                    ? new Readiness.Ready()
                    : new Readiness.NotReady("there is no database yet, and this node must not make one");
        }
        if (!seen.running() || !seen.standby()) {
            return new Readiness.NotReady("its server does not run as a standby: " + seen.note());
        }
        if (seen.timeline() < known.timeline()) {
            return new Readiness.NotReady("its server is on timeline " + seen.timeline() + " (expected: "
                    + known.timeline() + ", the last primary's)");
        }
        if (settings.mode() != PostgresSettings.Mode.ASYNCHRONOUS
                && !known.complete().contains(settings.node())) {
            // INV-24
            return new Readiness.NotReady("it may lack commits that clients were told of (complete: "
                    + String.join(", ", known.complete()) + ")");
        }
        long lag = seen.position().behind(known.position());
        return lag <= settings.maxLagBytes()
                ? new Readiness.Ready()
                : new Readiness.NotReady(
                        "its server is " + lag + " bytes behind (expected: at most " + settings.maxLagBytes() + ")");
    }

    @Override
    public void apply(List<Entry> entries) {
        Entry last = entries.getLast();
        record = ClusterRecord.decode(last.payload());
        applied = last.height();
        keeper.nudge();
    }

    /** Each record is the whole state, so the duty can begin wherever the ledger does. */
    @Override
    public void catchUp(Height oldest) {
        applied = new Height(oldest.value() - 1);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        Keeper.Leading current = current();
        if (current != null && current.tenure().equals(tenure)) {
            return;
        }
        if (eligible() instanceof Readiness.NotReady(String why)) {
            throw new IOException(why);
        }
        supervised.allow(tenure);
        pulse.close(); // the server that an earlier term was connected to is gone
        promotedByNanos = System.nanoTime() + PROMOTION_PATIENCE.toNanos();
        leading.set(new Keeper.Leading(tenure, false));
        keeper.nudge();
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        ClusterRecord next = keeper.primary.serves(tenure) ? served() : promised();
        List<Fact> facts = new ArrayList<>();
        Height head = tenure.head().height();
        if (head.value() > 0 && head.value() % CHECKPOINT_EVERY == 0) {
            facts.add(new Fact.Checkpoint(head, 1, 1, next.encode()));
        }
        return new Draft(next.encode(), facts);
    }

    /** INV-22: a pulse is a write that succeeded; a database that cannot write loses the seat. */
    private ClusterRecord served() throws Exception {
        pulse.write();
        Database.Look look = pulse.look();
        if (look.standby()) {
            throw new IOException("the server is not a primary any more");
        }
        NewPlan changed = newPlan;
        return new ClusterRecord(
                sight.systemId(),
                settings.node(),
                settings.address(),
                true,
                look.timeline(),
                look.position(),
                complete(keeper.primary.offer()),
                changed == null ? record.plan() : changed.plan(),
                record.historyWith(new ClusterRecord.Reign(
                        look.timeline(), settings.node(), look.position(), System.currentTimeMillis())));
    }

    /** Before the promotion: whoever was complete still is, but for the last primary, which may have more. */
    private ClusterRecord promised() throws IOException {
        if (System.nanoTime() - promotedByNanos > 0) {
            throw new IOException("no primary within " + PROMOTION_PATIENCE + ": "
                    + sight.view().note());
        }
        ClusterRecord known = record;
        TreeSet<String> others = new TreeSet<>(known.complete());
        others.retainAll(settings.peers());
        others.remove(known.primary());
        return new ClusterRecord(
                known.isInitialised() ? known.systemId() : sight.systemId(),
                settings.node(),
                settings.address(),
                false,
                known.timeline(),
                known.position(),
                complete(others),
                known.plan(),
                known.history());
    }

    private List<String> complete(Iterable<String> others) {
        List<String> complete = new ArrayList<>();
        if (settings.mode() != PostgresSettings.Mode.ASYNCHRONOUS) {
            complete.add(settings.node());
            others.forEach(complete::add);
        }
        return complete;
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        ClusterRecord committed = ClusterRecord.decode(entry.payload());
        if (committed.isInitialised()) {
            server.data.published();
        }
        record = committed;
        NewPlan changed = newPlan;
        if (changed != null && changed.plan().equals(committed.plan())) {
            newPlan = null; // the ledger has it
        }
        applied = entry.height();
        supervised.allow(tenure);
        Keeper.Leading term = leading.get();
        if (term != null && !term.announced()) {
            leading.compareAndSet(term, new Keeper.Leading(tenure, true));
        }
        keeper.nudge();
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        leading.set(null);
        newPlan = null;
        supervised.stop(why);
        keeper.nudge();
    }

    @Override
    public void probe() throws Exception {
        View seen = sight.view();
        boolean mayBegin = !record.isInitialised() && eligible().isReady();
        if (!seen.running() && !mayBegin) {
            throw new IOException("the server does not answer: " + seen.note());
        }
    }

    @Override
    public void close() throws InterruptedException {
        keeper.close();
        server.close();
        pulse.close();
        supervised.close();
    }
}
