package dev.baton.seat;

import dev.baton.core.NodeId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's place at a seat, until it is closed. Thread-safe. */
public final class JoinedSeat implements AutoCloseable {

    /** The exit status of a process that had to be halted because its duty could not be stopped. */
    public static final int EXIT_CANNOT_STOP = 70;

    private static final Logger LOG = LoggerFactory.getLogger(JoinedSeat.class);

    private static final Duration STOP_GRACE = Duration.ofSeconds(1);
    private static final Duration RESIGN_PATIENCE = Duration.ofSeconds(2);

    private final SeatDriver driver;
    private final Duration patience;
    private final List<AutoCloseable> threads;

    private JoinedSeat(SeatDriver driver, Duration stop, List<AutoCloseable> threads) {
        this.driver = driver;
        this.patience = stop.plus(RESIGN_PATIENCE);
        this.threads = threads;
        driver.start();
    }

    /** Joins with a loop, a duty thread and a watchdog thread of its own. */
    static JoinedSeat onThreads(SeatParts parts, Consumer<String> halt) {
        String name = parts.rules().seat().seat() + "-" + parts.rules().self();
        LoopThread loop = new LoopThread("seat-" + name, defect -> {
            LOG.error("the driver of {} broke", name, defect);
            halt.accept("the driver of " + name + " broke: " + defect);
        });
        DutyThread dutyThread = new DutyThread("duty-" + name, loop);
        Duration grace = parts.rules().timings().stop().plus(STOP_GRACE);
        List<AutoCloseable> threads = new ArrayList<>(List.of(dutyThread, loop));
        SeatDriver driver = new SeatDriver(parts, loop, dutyThread, RandomGenerator.getDefault(), stopTerm -> {
            WatchdogThread watchdog = new WatchdogThread("watchdog-" + name, grace, stopTerm, halt);
            threads.add(watchdog);
            return watchdog;
        });
        return new JoinedSeat(driver, parts.rules().timings().stop(), threads);
    }

    /** Joins on a loop that somebody else runs, such as a simulator; the production driver, without threads. */
    public static JoinedSeat onLoop(SeatParts parts, Loop loop, DutyRunner runner, RandomGenerator random) {
        return new JoinedSeat(
                new SeatDriver(parts, loop, runner, random, stopTerm -> new LoopWatchdog(loop, stopTerm)),
                parts.rules().timings().stop(),
                List.of());
    }

    /** Where this node stands now. Never blocks. */
    public SeatStatus status() {
        return driver.status();
    }

    /** Gives the seat up, if this node holds it, and does not stand for it until {@link #resume}. */
    public void pause(String why) {
        driver.pause(why);
    }

    public void resume() {
        driver.resume();
    }

    /** Stays still and issues a ticket, once the current entry is finished. */
    public CompletionStage<Handover> handoff(NodeId target, Duration validFor) {
        return driver.handoff(target, validFor);
    }

    /** Takes a promised handoff back by committing an abort. */
    public CompletionStage<Handover> abortHandoff() {
        return driver.abortHandoff();
    }

    /** Uses a ticket that names this node; answers once this node leads, or cannot. */
    public CompletionStage<Handover> takeOver(Ticket ticket) {
        return driver.takeOver(ticket);
    }

    /** There is evidence that the process of this term is gone. */
    public void evidence(Term gone) {
        driver.evidence(gone);
    }

    /** Stops the duty and gives the seat up, if this node holds it; the stage ends when the engine knows. */
    public CompletionStage<Void> leave(String why) {
        return driver.end(why);
    }

    /** Leaves, and waits for it. */
    @Override
    public void close() {
        try {
            leave("shutting down").toCompletableFuture().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("{}: the engine did not confirm the resignation; the lease will end it", status().seat());
        }
        for (AutoCloseable thread : threads) {
            try {
                thread.close();
            } catch (Exception e) {
                LOG.warn("{}: a thread did not stop", status().seat(), e);
            }
        }
    }
}
