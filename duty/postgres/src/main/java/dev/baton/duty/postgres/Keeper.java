package dev.baton.duty.postgres;

import dev.baton.duty.Tenure;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
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
    private static final Duration STEP_OF_PROMOTION = Duration.ofMillis(20);

    /** A term of this node, and whether its first record is committed. */
    record Leading(Tenure tenure, boolean announced) {}

    final PrimaryKeeper primary;
    final StandbyKeeper standby;
    private final Server server;
    private final String node;
    private final Sight sight;
    private final Supplier<ClusterRecord> record;
    private final Supplier<@Nullable Leading> leading;
    private final Semaphore nudged = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;

    Keeper(
            PostgresSettings settings,
            Server server,
            Programs programs,
            Sight sight,
            Supplier<ClusterRecord> record,
            Supplier<@Nullable Leading> leading) {
        this.node = settings.node();
        this.server = server;
        this.sight = sight;
        this.record = record;
        this.leading = leading;
        this.primary = new PrimaryKeeper(settings, server, programs, sight);
        this.standby = new StandbyKeeper(settings, server, programs, sight);
        this.thread = Thread.ofPlatform().daemon().name("postgres-" + node).unstarted(this::keep);
    }

    void start() {
        thread.start();
    }

    void nudge() {
        nudged.release();
    }

    private void keep() {
        String before = "";
        while (!closed) {
            try {
                server.boundLog();
                Leading term = leading.get();
                if (term == null) {
                    primary.over();
                    standby.step(record.get());
                } else {
                    primary.step(term, record.get());
                }
                before = "";
            } catch (InterruptedException e) {
                return;
            } catch (IOException | SQLException | RuntimeException e) {
                String problem = String.valueOf(e.getMessage());
                sight.silent(problem);
                if (!problem.equals(before)) {
                    LOG.warn("{}: {}", node, problem);
                }
                before = problem;
            }
            pause();
        }
    }

    private void pause() {
        try {
            Duration wait = primary.isPromoting() ? STEP_OF_PROMOTION : STEP_EVERY;
            if (nudged.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                nudged.drainPermits();
            }
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(10));
    }
}
