package dev.baton.duty.postgres;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the server to follow whoever holds the seat, whatever it was before. For the keeper's thread. */
final class StandbyKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(StandbyKeeper.class);

    /** A standby that does not come to stream within this, although its primary answers, does not come to by itself. */
    private static final Duration STUCK = Duration.ofSeconds(8);

    /** Short, because the server here may be needed meanwhile. */
    private static final Duration PRIMARY_TIMEOUT = Duration.ofSeconds(1);

    /** What failed once fails again; each attempt costs the primary something. */
    private static final Duration COPY_AGAIN = Duration.ofSeconds(2);

    private final PostgresSettings settings;
    private final Server server;
    private final Programs programs;
    private final Sight sight;
    private volatile boolean copyWanted;
    private long notStreamingSinceNanos = System.nanoTime();
    private long copyAgainNanos = System.nanoTime();
    private String copyProblem = "";

    StandbyKeeper(PostgresSettings settings, Server server, Programs programs, Sight sight) {
        this.settings = settings;
        this.server = server;
        this.programs = programs;
        this.sight = sight;
    }

    /** Everything shall be copied anew from the primary, at the next occasion. Callable from any thread. */
    void wantCopy() {
        copyWanted = true;
    }

    void step(ClusterRecord known) throws IOException, SQLException, InterruptedException {
        boolean own = known.primary().equals(settings.node());
        // Until the ledger knows a primary's timeline, another node might yet make one of the same number.
        boolean leader = known.isInitialised() && !own && known.serving();
        ClusterRecord primary = leader ? known : own ? null : server.following();
        sight.knows(server.systemId());
        refuseForeign(known);
        if (copyWanted && leader) {
            requireServing(known);
            server.stop("to be copied anew, as asked");
            copy(known);
            copyWanted = false;
        }
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
        sight.sees(look, leader ? "follows " + known.primary() : "waits for a primary");
        server.follow(primary, "");
        server.dropOwnSlots();
        if (look.streaming() || !leader) {
            notStreamingSinceNanos = System.nanoTime();
        } else if (System.nanoTime() - notStreamingSinceNanos > STUCK.toNanos()) {
            // What it has seen counts: without a connection it forgets which timeline it followed.
            unblock(known, sight.view().timeline() < known.timeline());
        }
    }

    /**
     * Before the ledger was read nobody knew, and the server may have been started meanwhile, as a standby of nobody. Two
     * nodes may each have made a database, one after the other, if the first took longer than its term lasted: the one that
     * the ledger does not name goes.
     */
    private void refuseForeign(ClusterRecord known) throws IOException, InterruptedException {
        String systemId = sight.systemId();
        if (!known.isInitialised() || systemId.isEmpty()) {
            return;
        }
        if (systemId.equals(known.systemId())) {
            server.data.published(); // what this node made, and never heard that the ledger named
            return;
        }
        if (server.isRunning()) {
            server.stop("its data belong to another database system");
        }
        if (!server.data.isUnpublished()) {
            throw new IOException(settings.data() + ": belongs to the database system " + systemId + " (expected: "
                    + known.systemId() + ", or an empty folder); nothing was written there");
        }
        LOG.info("{}: throws its database {} away, for {} was made since", settings.node(), systemId, known);
        server.data.discardUnpublished();
        server.forgetSystemId();
        sight.knows("");
        sight.forgets();
    }

    /** A fork, or a log that the primary no longer has, is mended here; anything else is for people to mend. */
    private void unblock(ClusterRecord known, boolean forked) throws IOException, InterruptedException, SQLException {
        String words = server.lastWords();
        try {
            requireServing(known);
        } catch (IOException | SQLException e) {
            // The server here runs on, and may have to take over from that very primary.
            sight.notes("does not stream from " + known.primary() + ", which does not answer: " + e.getMessage());
            return;
        }
        if (forked || words.contains("has already been removed")) {
            rejoin(known, forked);
        } else {
            sight.notes("does not stream from " + known.primary() + ": " + words);
        }
    }

    /** Whether there is data to start with; gets it from the primary if there is none. */
    private boolean startable(ClusterRecord known, boolean own) throws IOException, InterruptedException, SQLException {
        if (!server.data.isInitialised()) {
            if (!known.isInitialised() || own || !known.serving()) {
                sight.silent(
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
        if (!own && known.isInitialised() && control.wasPrimary() && !server.data.isFreshCopy()) {
            if (!known.serving()) {
                sight.silent("waits until " + known.primary() + " serves, to rejoin it");
                return false;
            }
            // The same timeline as another primary's is another of the same number, which a rewind does not notice.
            rejoin(known, control.timeline() < known.timeline());
        }
        return true;
    }

    /** Makes the data here fit the primary's: by taking back what it does not have, or else by a new copy. */
    private void rejoin(ClusterRecord known, boolean forked) throws IOException, InterruptedException, SQLException {
        requireServing(known);
        sight.silent("rejoins " + known.primary());
        server.stop("to rejoin " + known.primary());
        if (forked) {
            try {
                server.data.rewindTo(known.host(), known.port());
                sight.forgets();
                LOG.info("{}: rewound to {}", settings.node(), known);
                return;
            } catch (IOException e) {
                LOG.warn("{}: cannot rewind, so everything is copied: {}", settings.node(), e.getMessage());
            }
        }
        copy(known);
    }

    private void requireServing(ClusterRecord known) throws IOException, SQLException {
        try (Database primary = new Database(known.host(), known.port(), programs.superuser(), PRIMARY_TIMEOUT)) {
            if (primary.look().standby()) {
                throw new IOException(known.primary() + " does not serve yet");
            }
        }
    }

    private void copy(ClusterRecord known) throws IOException, InterruptedException {
        if (System.nanoTime() - copyAgainNanos < 0) {
            throw new IOException(copyProblem);
        }
        sight.silent("copies the data of " + known.primary());
        try {
            server.data.copyFrom(known.host(), known.port());
        } catch (IOException e) {
            copyAgainNanos = System.nanoTime() + COPY_AGAIN.toNanos();
            copyProblem = String.valueOf(e.getMessage());
            throw e;
        }
        server.forgetSystemId();
        sight.forgets();
        LOG.info("{}: copied from {}", settings.node(), known);
    }
}
