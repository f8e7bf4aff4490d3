package dev.baton.chaos.run;

import dev.baton.chaos.checker.Bounds;
import dev.baton.chaos.checker.Judge;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.FileTrees;
import dev.baton.chaos.cluster.SeatKind;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.JournalWriter;
import dev.baton.chaos.history.Setting;
import dev.baton.chaos.nemesis.Nemesis;
import dev.baton.chaos.plan.Pace;
import dev.baton.chaos.plan.Plan;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.workload.DutyKind;
import dev.baton.chaos.workload.DutyKinds;
import dev.baton.chaos.workload.Recorder;
import dev.baton.chaos.workload.Workload;
import dev.baton.node.BuildInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One run: a cluster, clients, faults; then the inventory, the judge and the report. */
public final class ChaosRun {

    private static final Duration SHORTEST_BOUND = Duration.ofSeconds(20);
    private static final Duration LONGEST_BOUND = Duration.ofMinutes(2);
    private static final Duration REPAIRS = Duration.ofSeconds(150);
    private static final long TELL_MILLIS = 2000;
    private static final long LOOK_MILLIS = 500;
    private static final String INTERRUPTED = "it was interrupted";
    private static final String FOUND = "a rule is broken, and that was to be shown";

    /** What came of a run; {@code page} is the report for people. */
    public record Outcome(Account account, Judgement judgement, Path page) {
        /** Whether somebody ended it before its time. */
        public boolean wasInterrupted() {
            return account.ended()
                    .filter(ended -> ended.why().equals(INTERRUPTED))
                    .isPresent();
        }

        public boolean passed() {
            return judgement.verdict() == Judgement.Verdict.PASS;
        }
    }

    /** Makes the cluster that is to be hurt. */
    interface Starter {
        Cluster start(Path folder, String authority, SeatKind duty, boolean forgetful)
                throws IOException, InterruptedException;
    }

    private final ChaosSettings settings;
    private final DutyKind duty;
    private final Starter starter;
    private final Consumer<String> tell;

    private ChaosRun(ChaosSettings settings, Starter starter, Consumer<String> tell) {
        this.settings = settings;
        this.duty = DutyKinds.of(settings.duty());
        this.starter = starter;
        this.tell = tell;
    }

    /** Runs until the verdict; {@code tell} hears how it goes. */
    public static Outcome run(ChaosSettings settings, Consumer<String> tell) throws IOException, InterruptedException {
        return run(settings, Cluster::start, tell);
    }

    static Outcome run(ChaosSettings settings, Starter starter, Consumer<String> tell)
            throws IOException, InterruptedException {
        return new ChaosRun(settings, starter, tell).run();
    }

    private Outcome run() throws IOException, InterruptedException {
        Files.createDirectories(settings.report());
        Path folder = settings.report().resolve("cluster");
        Outcome outcome;
        tell.accept("starting " + settings.duty() + " on " + settings.authority() + " …");
        long beganNanos = System.nanoTime();
        try (JournalWriter journal = JournalWriter.create(settings.report().resolve(ChaosSettings.JOURNAL));
                Cluster cluster = starter.start(folder, settings.authority(), duty, settings.forgetful())) {
            Bounds bounds = bounds(Duration.ofNanos(System.nanoTime() - beganNanos));
            tell.accept(
                    "started; recovery within " + bounds.recovery().toSeconds() + " s is asked for on this machine");
            Recorder recorder = new Recorder(journal);
            try {
                work(cluster, recorder, bounds, journal);
            } catch (InterruptedException e) {
                // Not passed on: what there is of the run is judged and shown, and whoever asked looks at the outcome.
                recorder.append(new Event.Ended(recorder.nowNanos(), false, INTERRUPTED));
            }
            Account account = Account.of(journal.events());
            Judgement judgement = Judge.judge(account, bounds);
            outcome = new Outcome(account, judgement, Report.write(settings.report(), account, judgement));
        }
        if (outcome.passed()) {
            FileTrees.delete(folder);
        }
        return outcome;
    }

    /** A machine that takes long to start a cluster takes long to start a node again. */
    private static Bounds bounds(Duration toStart) {
        Duration recovery = toStart.multipliedBy(2);
        recovery = recovery.compareTo(SHORTEST_BOUND) < 0 ? SHORTEST_BOUND : recovery;
        recovery = recovery.compareTo(LONGEST_BOUND) > 0 ? LONGEST_BOUND : recovery;
        Bounds usual = Bounds.usual();
        return new Bounds(recovery, recovery, usual.fewestPerMinute(), usual.fewestFaults());
    }

    private void work(Cluster cluster, Recorder recorder, Bounds bounds, JournalWriter journal)
            throws IOException, InterruptedException {
        List<PlannedFault> plan = settings.schedule()
                .orElseGet(() -> Plan.of(
                                settings.seed(),
                                settings.lasting(),
                                settings.kinds(),
                                cluster.topology(),
                                Pace.usual(settings.authority(), duty.lease()))
                        .faults());
        recorder.append(new Event.Begun(recorder.nowNanos(), setting(cluster), plan));
        boolean repaired;
        try (Workload workload = Workload.start(cluster, duty, settings.seed(), recorder);
                Nemesis nemesis = new Nemesis(cluster, recorder)) {
            nemesis.begin(plan);
            Progress progress = new Progress(recorder, nemesis, plan.size(), journal, bounds, tell);
            if (untilTimeIsOver(recorder, progress)) {
                recorder.append(new Event.Ended(recorder.nowNanos(), false, FOUND));
                return;
            }
            repaired = nemesis.awaitEnd(REPAIRS);
            awaitSign(recorder, bounds.recovery());
            workload.stopWorking();
            progress.tell();
            tell.accept("reading what stores and engines hold …");
            Inventory inventory = new Inventory(cluster, duty, recorder, tell);
            inventory.settle(bounds.recovery());
            inventory.take(settings.authority());
        }
        recorder.append(new Event.Ended(
                recorder.nowNanos(), repaired, repaired ? "time was over" : "some faults could not be undone"));
    }

    /** Tells how it goes until the time is over; true if it ends before, because what was looked for is found. */
    private boolean untilTimeIsOver(Recorder recorder, Progress progress) throws InterruptedException {
        long endNanos = settings.lasting().toNanos();
        for (long nowNanos = recorder.nowNanos(); nowNanos < endNanos; nowNanos = recorder.nowNanos()) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - nowNanos);
            TimeUnit.MILLISECONDS.sleep(Math.clamp(leftMillis, 1, settings.untilFound() ? LOOK_MILLIS : TELL_MILLIS));
            if (settings.untilFound() && progress.judge()) {
                return true;
            }
            progress.tell();
        }
        return false;
    }

    /** Work goes on until something is committed after the last repair, or the bound for that is over. */
    private static void awaitSign(Recorder recorder, Duration patience) throws InterruptedException {
        long before = recorder.signs();
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (recorder.signs() <= before && System.nanoTime() - deadlineNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private Setting setting(Cluster cluster) {
        return new Setting(
                settings.seed(),
                settings.authority(),
                settings.duty(),
                cluster.nodes(),
                cluster.engines(),
                settings.lasting().toNanos(),
                BuildInfo.commit(),
                Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                        + System.getProperty("os.version") + ", JDK " + System.getProperty("java.version"),
                settings.command(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }
}
