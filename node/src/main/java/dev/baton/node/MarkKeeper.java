package dev.baton.node;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down once a second, and at the end, how far this node follows its ledgers. On a thread of its own: a slow disk
 * must hold up neither a commit nor the news that this node is there.
 */
final class MarkKeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MarkKeeper.class);

    private static final long EVERY_SECONDS = 1;

    private final List<RememberingDuty> duties = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ledger-marks").factory());

    @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
    MarkKeeper() {
        clock.scheduleWithFixedDelay(this::saveAll, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    RememberingDuty keep(RememberingDuty duty) {
        duties.add(duty);
        return duty;
    }

    private void saveAll() {
        for (RememberingDuty duty : duties) {
            try {
                duty.save();
            } catch (IOException e) { // an older mark protects less, but it protects
                LOG.warn("how far a ledger is followed cannot be written: {}", e.toString());
            }
        }
    }

    /** After the seats were left, so that nothing is followed any more. */
    @Override
    public void close() {
        clock.shutdownNow();
        saveAll();
    }
}
