package dev.baton.seat;

import dev.baton.core.NodeId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
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
    private final LoopThread loop;
    private final DutyThread dutyThread;
    private final WatchdogThread watchdog;

    private JoinedSeat(SeatDriver driver, LoopThread loop, DutyThread dutyThread, WatchdogThread watchdog) {
        this.driver = driver;
        this.loop = loop;
        this.dutyThread = dutyThread;
        this.watchdog = watchdog;
    }

    static JoinedSeat start(SeatParts parts, Consumer<String> halt) {
        String name = parts.rules().seat().seat() + "-" + parts.rules().self();
        LoopThread loop = new LoopThread("seat-" + name, defect -> {
            LOG.error("the driver of {} broke", name, defect);
            halt.accept("the driver of " + name + " broke: " + defect);
        });
        DutyThread dutyThread = new DutyThread("duty-" + name);
        Duration grace = parts.rules().timings().stop().plus(STOP_GRACE);
        WatchdogHolder watchdog = new WatchdogHolder();
        SeatDriver driver = new SeatDriver(
                parts,
                loop,
                dutyThread,
                RandomGenerator.getDefault(),
                stopTerm -> watchdog.start("watchdog-" + name, grace, stopTerm, halt));
        driver.start();
        return new JoinedSeat(driver, loop, dutyThread, watchdog.started());
    }

    /** Lets the driver make its watchdog while its parts are put together. */
    private static final class WatchdogHolder {
        private @Nullable WatchdogThread thread;

        WatchdogThread start(String name, Duration grace, Consumer<SeatTenure> stopTerm, Consumer<String> halt) {
            WatchdogThread started = new WatchdogThread(name, grace, stopTerm, halt);
            thread = started;
            return started;
        }

        WatchdogThread started() {
            return Objects.requireNonNull(thread);
        }
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

    /** Stops the duty, gives the seat up if this node holds it, and leaves. */
    @Override
    public void close() {
        try {
            driver.end("shutting down").toCompletableFuture().get(RESIGN_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("{}: the engine did not confirm the resignation; the lease will end it", status().seat());
        }
        watchdog.close();
        dutyThread.close();
        loop.close();
    }
}
