package dev.baton.duty.postgres;

import dev.baton.duty.Tenure;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the server to be the primary of this node's term, and keeps its standbys in step. For the keeper's thread. */
final class PrimaryKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(PrimaryKeeper.class);

    private static final Duration SLOTS_AGAIN = Duration.ofSeconds(5);

    private final PostgresSettings settings;
    private final Server server;
    private final Programs programs;
    private final Sight sight;
    private final Offers offers = new Offers();
    private SyncStandbys sync = new SyncStandbys();
    private List<String> withoutSlot = List.of();
    private long slotsTriedNanos;
    private volatile String wanted = "";
    private volatile @Nullable Tenure serving;
    private @Nullable Tenure promoting;

    PrimaryKeeper(PostgresSettings settings, Server server, Programs programs, Sight sight) {
        this.settings = settings;
        this.server = server;
        this.programs = programs;
        this.sight = sight;
    }

    /** Whom the next record calls complete, besides this node. */
    Set<String> offer() {
        return offers.offer();
    }

    /** This node's standby shall become complete, because it is to take over; empty for none. Callable from any thread. */
    void want(String node) {
        wanted = node;
    }

    boolean serves(Tenure tenure) {
        return tenure.equals(serving);
    }

    /** A promotion takes a moment only, and clients wait for its end. */
    boolean isPromoting() {
        return promoting != null && serving == null;
    }

    /** There is no term any more. */
    void over() {
        serving = null;
        promoting = null;
    }

    void step(Keeper.Leading term, ClusterRecord known) throws IOException, SQLException, InterruptedException {
        term.tenure().check();
        if (!server.data.isInitialised()) {
            sight.silent("makes a new database");
            server.data.initialise();
        }
        sight.knows(server.systemId());
        Set<String> committed = new TreeSet<>(known.complete());
        committed.remove(settings.node());
        if (!server.isRunning()) {
            promoting = null;
            server.start(null, SyncStandbys.names(committed, settings.mode()));
        }
        Database.Look look = server.look();
        if (look.standby()) {
            sight.sees(look, "is promoted");
            promote(term, known, committed);
        } else if (!serves(term.tenure())) {
            sight.sees(look, "is furnished");
            server.database.furnish(programs.replication());
            makeSlots();
            offers.begin(committed);
            sync = new SyncStandbys();
            serving = term.tenure();
            term.tenure().requestPulse();
            checkpoint();
        } else {
            if (!withoutSlot.isEmpty() && System.nanoTime() - slotsTriedNanos > SLOTS_AGAIN.toNanos()) {
                makeSlots();
            }
            sight.sees(look, withoutSlot.isEmpty() ? "serves" : "serves, but " + withoutSlot());
            if (settings.mode() != PostgresSettings.Mode.ASYNCHRONOUS) {
                synchronise(term.tenure(), committed, look.position());
            }
        }
    }

    /** A standby without a slot cannot stream; that is no reason to serve nobody. */
    private void makeSlots() throws SQLException {
        slotsTriedNanos = System.nanoTime();
        List<String> before = withoutSlot;
        withoutSlot = server.database.createSlots(
                settings.peers().stream().map(PostgresSettings::slot).toList());
        if (!withoutSlot.isEmpty() && !withoutSlot.equals(before)) {
            LOG.error("{}: {}", settings.node(), withoutSlot());
        }
    }

    private String withoutSlot() {
        return "has no replication slot for " + String.join(", ", withoutSlot)
                + ", because all are in use (expected: a higher postgres.parameters.max_replication_slots, or fewer"
                + " slots of others; see pg_replication_slots)";
    }

    /** INV-22 and INV-24: only once the ledger has the record of this term, and while the term holds. */
    private void promote(Keeper.Leading term, ClusterRecord known, Set<String> committed)
            throws IOException, SQLException {
        boolean named = term.announced()
                && known.systemId().equals(sight.systemId())
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
        SyncStandbys.Plan plan = sync.next(committed, standbys, position, wanted, System.nanoTime());
        // First nobody new is offered whom the primary would stop waiting for, then it stops; those new come after.
        Set<String> still = new TreeSet<>(plan.complete());
        still.retainAll(plan.waitFor());
        offers.allow(still);
        server.follow(null, SyncStandbys.names(offers.with(plan.waitFor()), settings.mode()));
        if (!plan.complete().equals(committed)) {
            tenure.requestPulse();
        }
    }
}
