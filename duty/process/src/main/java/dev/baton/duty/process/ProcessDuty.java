package dev.baton.duty.process;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import dev.baton.process.BoundedLog;
import dev.baton.process.FencingCount;
import dev.baton.process.Ladder;
import dev.baton.process.Supervised;
import dev.baton.process.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a process under the seat: its pulse is a probe that found it working.
 *
 * <p>INV-22: the process is active only under the seat; it is stopped, and proven to be down, before the seat is given
 * back. Whatever an earlier incarnation of this node left running is stopped before this one stands for the seat.
 */
public final class ProcessDuty implements Duty, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessDuty.class);
    private static final String MARK = "BATON_WORKLOAD";

    private final SeatId seat;
    private final ProcessSettings settings;
    private final Duration pulseTimeout;
    private final Supervised supervised;
    private final BoundedLog log;
    private volatile Height applied = Height.ZERO;
    private volatile @Nullable String notReady = "starting";
    private @Nullable Process process;

    private ProcessDuty(SeatId seat, ProcessSettings settings, SeatTimings timings, Ladder ladder) {
        this.seat = seat;
        this.settings = settings;
        this.pulseTimeout = timings.timeout();
        Path folder = settings.folder();
        String mark = seat + "@" + folder;
        this.log = new BoundedLog(folder.resolve("process.log"), BoundedLog.DEFAULT_MOST_BYTES);
        this.supervised = new Supervised(new Workload.Marked(MARK, mark), ladder, timings, folder);
    }

    /** Stops what an earlier incarnation left behind, then starts what runs without the seat, too. */
    public static ProcessDuty open(SeatId seat, ProcessSettings settings, SeatTimings timings)
            throws IOException, InterruptedException {
        return open(seat, settings, timings, settings.ladder());
    }

    static ProcessDuty open(SeatId seat, ProcessSettings settings, SeatTimings timings, Ladder ladder)
            throws IOException, InterruptedException {
        ProcessDuty duty = new ProcessDuty(seat, settings, timings, ladder);
        duty.supervised.stop("left behind by an earlier incarnation");
        duty.supervised.guard();
        duty.notReady = null;
        duty.follow();
        return duty;
    }

    public FencingCount count() {
        return supervised.count();
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
        String why = notReady;
        return why == null ? new Readiness.Ready() : new Readiness.NotReady(why);
    }

    @Override
    public void apply(List<Entry> entries) {
        applied = entries.getLast().height();
    }

    /** The process keeps its state itself, so the duty can begin wherever the ledger does. */
    @Override
    public void catchUp(Height oldest) {
        applied = new Height(oldest.value() - 1);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        supervised.allow(tenure);
        if (!isRunning()) {
            start();
        }
        if (settings.promote().isPresent()) {
            run("promote", settings.promote().get(), tenure);
        }
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        if (!isRunning()) {
            throw new IOException("the process has ended");
        }
        if (settings.probe().isPresent()) {
            run("probe", settings.probe().get(), tenure);
        }
        return Draft.of(Bytes.EMPTY);
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        applied = entry.height();
        supervised.allow(tenure);
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        supervised.stop(why);
        try {
            follow();
        } catch (IOException e) {
            notReady = "the process cannot be started: " + e.getMessage();
        }
    }

    private void follow() throws IOException {
        if (settings.promote().isPresent()) {
            start();
        }
    }

    @Override
    public void probe() throws Exception {
        if (settings.promote().isPresent() && !isRunning()) {
            start();
        }
        notReady = null;
    }

    /** Looked at where the process is, so that its log stays bounded for as long as it lives. */
    private synchronized boolean isRunning() {
        try {
            log.bound();
        } catch (IOException e) {
            LOG.warn("{} cannot be shortened: {}", log.file(), e.toString());
        }
        return process != null && process.isAlive();
    }

    private synchronized void start() throws IOException {
        process = supervised.start(program(settings.start())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile())));
    }

    private ProcessBuilder program(List<String> command) {
        ProcessBuilder program =
                new ProcessBuilder(command).directory(settings.folder().toFile());
        Workload.Marked marked = (Workload.Marked) supervised.workload();
        program.environment().put(marked.variable(), marked.value());
        program.environment().put("BATON_SEAT", seat.seat().value());
        return program;
    }

    private void run(String what, List<String> command, Tenure tenure) throws IOException, InterruptedException {
        ProcessBuilder program = program(command).redirectErrorStream(true);
        program.environment().put("BATON_EPOCH", tenure.term().epoch().toString());
        Process running = supervised.start(program.redirectOutput(ProcessBuilder.Redirect.DISCARD));
        try {
            if (!running.waitFor(pulseTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(what + ": no end within " + pulseTimeout);
            }
            if (running.exitValue() != 0) {
                throw new IOException(what + ": status " + running.exitValue() + " (expected: 0)");
            }
        } finally {
            running.destroyForcibly();
        }
    }

    @Override
    public void close() {
        supervised.close();
    }
}
