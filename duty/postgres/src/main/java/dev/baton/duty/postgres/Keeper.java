package dev.baton.duty.postgres;

import dev.baton.duty.Tenure;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the server to where it should be, step by step, on a thread of its own: a standby of whoever holds the seat,
 * or the primary of this node's term.
 */
final class Keeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);

    private static final Duration STEP_EVERY = Duration.ofMillis(200);

    /** A promotion takes a moment only, and clients wait for its end. */
    private static final Duration STEP_OF_PROMOTION = Duration.ofMillis(20);

    /** A standby that does not come to stream within this, although its primary answers, does not come to by itself. */
    private static final Duration STUCK = Duration.ofSeconds(8);

    /** A term of this node, and whether its first record is committed. */
    record Leading(Tenure tenure, boolean announced) {}

    private final PostgresSettings settings;
    private final Server server;
    private final Programs programs;
    private final Supplier<ClusterRecord> record;
    private final Supplier<@Nullable Leading> leading;
    private final SyncStandbys sync = new SyncStandbys();
    private final Semaphore nudged = new Semaphore(0);
    private final Thread thread;
    private volatile View view = View.NOTHING;
    private volatile String systemId = "";
    private Set<String> complete = Set.of();
    private Set<String> offered = Set.of();
    private volatile @Nullable Tenure serving;
    private volatile boolean closed;
    private @Nullable Tenure promoting;
    private long notStreamingSinceNanos = System.nanoTime();

    Keeper(
            PostgresSettings settings,
            Server server,
            Programs programs,
            Supplier<ClusterRecord> record,
            Supplier<@Nullable Leading> leading) {
        this.settings = settings;
        this.server = server;
        this.programs = programs;
        this.record = record;
        this.leading = leading;
        this.thread =
                Thread.ofPlatform().daemon().name("postgres-" + settings.node()).unstarted(this::keep);
    }

    void start() {
        thread.start();
    }

    View view() {
        return view;
    }

    /** PostgreSQL's name of the data here; empty while there are none. */
    String systemId() {
        return systemId;
    }

    /**
     * Whom the next record calls complete, besides this node.
     *
     * <p>INV-24: whoever is in a record that may yet be committed is waited for as if it were.
     */
    synchronized Set<String> offer() {
        offered = complete;
        return offered;
    }

    private synchronized void mayOffer(Set<String> nodes) {
        complete = Set.copyOf(nodes);
    }

    private synchronized Set<String> offeredOr(Set<String> nodes) {
        Set<String> both = new TreeSet<>(nodes);
        both.addAll(offered);
        return both;
    }

    boolean serves(Tenure tenure) {
        return tenure.equals(serving);
    }

    void nudge() {
        nudged.release();
    }

    private void keep() {
        String before = "";
        while (!closed) {
            try {
                Leading term = leading.get();
                if (term == null) {
                    serving = null;
                    promoting = null;
                    follow(record.get());
                } else {
                    lead(term, record.get());
                }
                before = "";
            } catch (InterruptedException e) {
                return;
            } catch (IOException | SQLException | RuntimeException e) {
                String problem = String.valueOf(e.getMessage());
                view = view.silent(problem);
                if (!problem.equals(before)) {
                    LOG.warn("{}: {}", settings.node(), problem);
                }
                before = problem;
            }
            pause();
        }
    }

    private void pause() {
        try {
            Duration wait = promoting != null && serving == null ? STEP_OF_PROMOTION : STEP_EVERY;
            if (nudged.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                nudged.drainPermits();
            }
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    // Without the seat

    private void follow(ClusterRecord known) throws IOException, SQLException, InterruptedException {
        boolean own = known.primary().equals(settings.node());
        // Until the ledger knows a primary's timeline, another node might yet make one of the same number.
        boolean leader = known.isInitialised() && !own && known.serving();
        ClusterRecord primary = leader ? known : own ? null : server.following();
        systemId = server.systemId();
        refuseForeign(known);
        if (!server.isRunning() && !startable(known, own)) {
            return;
        }
        if (!server.isRunning()) {
            notStreamingSinceNanos = System.nanoTime();
            server.start(leader ? known : null, "");
        }
        Database.Look look = server.look();
        if (!look.standby()) {
            server.stop("it is a primary, and this node has no term");
            return;
        }
        see(look, leader ? "follows " + known.primary() : "waits for a primary");
        server.follow(primary, "");
        server.dropOwnSlots();
        if (look.streaming() || !leader) {
            notStreamingSinceNanos = System.nanoTime();
        } else if (System.nanoTime() - notStreamingSinceNanos > STUCK.toNanos()) {
            unblock(known, look.timeline() < known.timeline());
        }
    }

    /** Before the ledger was read nobody knew, and the server may have been started meanwhile, as a standby of nobody. */
    private void refuseForeign(ClusterRecord known) throws IOException, InterruptedException {
        if (known.isInitialised() && !systemId.isEmpty() && !systemId.equals(known.systemId())) {
            if (server.isRunning()) {
                server.stop("its data belong to another database system");
            }
            throw new IOException(settings.data() + ": belongs to the database system " + systemId + " (expected: "
                    + known.systemId() + ", or an empty folder); nothing was written there");
        }
    }

    /** A fork, or a log that the primary no longer has, is mended here; anything else is for people to mend. */
    private void unblock(ClusterRecord known, boolean forked) throws IOException, InterruptedException, SQLException {
        String words = server.lastWords();
        if (forked || words.contains("has already been removed")) {
            rejoin(known, forked);
        } else {
            view = view.noting("does not stream from " + known.primary() + ": " + words);
        }
    }

    /** Whether there is data to start with; gets it from the primary if there is none. */
    private boolean startable(ClusterRecord known, boolean own) throws IOException, InterruptedException, SQLException {
        if (!server.data.isInitialised()) {
            if (!known.isInitialised() || own || !known.serving()) {
                view = view.silent(
                        own && known.isInitialised()
                                ? "the data of the last primary is gone"
                                : "no data yet, and no primary to copy from");
                return false;
            }
            if (!server.data.isEmpty()) {
                throw new IOException(settings.data() + ": neither empty nor a data folder (expected: one of both)");
            }
            copy(known);
            return true;
        }
        ControlData control = server.data.control();
        if (!own && known.isInitialised() && control.wasPrimary()) {
            if (!known.serving()) {
                view = view.silent("waits until " + known.primary() + " serves, to rejoin it");
                return false;
            }
            // The same timeline as another primary's is another of the same number, which a rewind does not notice.
            rejoin(known, control.timeline() < known.timeline());
        }
        return true;
    }

    /** Makes the data here fit the primary's: by taking back what it does not have, or else by a new copy. */
    private void rejoin(ClusterRecord known, boolean forked) throws IOException, InterruptedException, SQLException {
        try (Database primary = new Database(known.host(), known.port(), programs.superuser(), Duration.ofSeconds(3))) {
            if (primary.look().standby()) {
                throw new IOException(known.primary() + " does not serve yet");
            }
        }
        view = view.silent("rejoins " + known.primary());
        server.stop("to rejoin " + known.primary());
        if (forked) {
            try {
                server.data.rewindTo(known.host(), known.port());
                view = View.NOTHING;
                LOG.info("{}: rewound to {}", settings.node(), known);
                return;
            } catch (IOException e) {
                LOG.warn("{}: cannot rewind, so everything is copied: {}", settings.node(), e.getMessage());
            }
        }
        copy(known);
    }

    private void copy(ClusterRecord known) throws IOException, InterruptedException {
        view = view.silent("copies the data of " + known.primary());
        server.data.copyFrom(known.host(), known.port());
        server.forgetSystemId();
        view = View.NOTHING;
        LOG.info("{}: copied from {}", settings.node(), known);
    }

    private void see(Database.Look look, String note) {
        int timeline = Math.max(look.timeline(), view.timeline());
        view = new View(true, look.standby(), timeline, look.position(), look.streaming(), note);
    }

    // With the seat

    private void lead(Leading term, ClusterRecord known) throws IOException, SQLException, InterruptedException {
        term.tenure().check();
        if (!server.data.isInitialised()) {
            view = view.silent("makes a new database");
            server.data.initialise();
        }
        systemId = server.systemId();
        Set<String> committed = new TreeSet<>(known.complete());
        committed.remove(settings.node());
        if (!server.isRunning()) {
            promoting = null;
            server.start(null, SyncStandbys.names(committed, settings.mode()));
        }
        Database.Look look = server.look();
        if (look.standby()) {
            see(look, "is promoted");
            promote(term, known, committed);
        } else if (!serves(term.tenure())) {
            see(look, "is furnished");
            server.database.furnish(
                    programs.replication(),
                    settings.peers().stream().map(PostgresSettings::slot).toList());
            mayOffer(committed);
            serving = term.tenure();
            term.tenure().requestPulse();
            checkpoint();
        } else {
            see(look, "serves");
            if (settings.mode() != PostgresSettings.Mode.ASYNCHRONOUS) {
                synchronise(term.tenure(), committed, look.position());
            }
        }
    }

    /** INV-22 and INV-24: only once the ledger has the record of this term, and while the term holds. */
    private void promote(Leading term, ClusterRecord known, Set<String> committed) throws IOException, SQLException {
        boolean named = term.announced()
                && known.systemId().equals(systemId)
                && known.primary().equals(settings.node());
        if (!named) {
            term.tenure().requestPulse();
            return;
        }
        if (!term.tenure().equals(promoting)) {
            server.follow(null, SyncStandbys.names(committed, settings.mode()));
            term.tenure().check();
            server.database.promote();
            promoting = term.tenure();
        }
    }

    /** Until then a rewind would take the old timeline for the current one. Not waited for: it may take minutes. */
    private void checkpoint() throws IOException {
        String password = programs.superuser();
        Thread.ofVirtual().start(() -> {
            try (Database patient =
                    new Database(Server.localHost(settings), settings.port(), password, Duration.ofMinutes(10))) {
                patient.checkpoint();
            } catch (SQLException e) {
                LOG.warn("{}: no checkpoint after the promotion: {}", settings.node(), e.getMessage());
            }
        });
    }

    private void synchronise(Tenure tenure, Set<String> committed, Lsn position) throws IOException, SQLException {
        // Others stream as well, such as a copy that is being made: they are no standbys.
        List<Database.Follower> standbys = server.database.followers().stream()
                .filter(follower -> settings.peers().contains(follower.node()))
                .toList();
        SyncStandbys.Plan plan = sync.next(committed, standbys, position, System.nanoTime());
        // First nobody new is offered whom the primary would stop waiting for, then it stops; those new come after.
        Set<String> still = new TreeSet<>(plan.complete());
        still.retainAll(plan.waitFor());
        mayOffer(still);
        server.follow(null, SyncStandbys.names(offeredOr(plan.waitFor()), settings.mode()));
        if (!plan.complete().equals(committed)) {
            tenure.requestPulse();
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(10));
    }
}
