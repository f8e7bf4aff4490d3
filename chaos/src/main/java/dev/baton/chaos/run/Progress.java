package dev.baton.chaos.run;

import dev.baton.chaos.checker.Bounds;
import dev.baton.chaos.checker.Judge;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Rule;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.JournalWriter;
import dev.baton.chaos.nemesis.Nemesis;
import dev.baton.chaos.workload.Recorder;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Says how a run goes: the time, the faults, the height, and whether anything is wrong so far. */
final class Progress {

    /** What can only be said at the end. */
    private static final Set<Rule> AT_THE_END =
            EnumSet.of(Rule.AGREEMENT, Rule.RECOVERY, Rule.PROGRESS, Rule.ACKNOWLEDGED);

    private static final long JUDGE_EACH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Recorder recorder;
    private final Nemesis nemesis;
    private final int planned;
    private final JournalWriter journal;
    private final Bounds bounds;
    private final Consumer<String> tell;
    private long judgedNanos;
    private int wrong;

    Progress(
            Recorder recorder,
            Nemesis nemesis,
            int planned,
            JournalWriter journal,
            Bounds bounds,
            Consumer<String> tell) {
        this.recorder = recorder;
        this.nemesis = nemesis;
        this.planned = planned;
        this.journal = journal;
        this.bounds = bounds;
        this.tell = tell;
    }

    void tell() {
        long nowNanos = recorder.nowNanos();
        // Longer runs are judged less often: it costs more each time.
        if (nowNanos - judgedNanos > Math.max(JUDGE_EACH_NANOS, nowNanos / 10)) {
            judge();
        }
        tell.accept("%4d s  faults %d/%d  height %d  ok %d, refused %d, unknown %d  %s%s"
                .formatted(
                        TimeUnit.NANOSECONDS.toSeconds(nowNanos),
                        nemesis.done(),
                        planned,
                        recorder.height(),
                        recorder.count(Answer.Outcome.OK),
                        recorder.count(Answer.Outcome.REFUSED),
                        recorder.count(Answer.Outcome.UNKNOWN),
                        wrong == 0 ? "nothing wrong" : wrong + " violations so far",
                        nemesis.inForce().isEmpty() ? "" : "  [" + String.join("; ", nemesis.inForce()) + "]"));
    }

    /** Judges what there is now; whether a rule is broken whatever comes. */
    boolean judge() {
        judgedNanos = recorder.nowNanos();
        Judgement judgement = Judge.judge(journal.events(), bounds);
        wrong = judgement.counts().entrySet().stream()
                .filter(each -> !AT_THE_END.contains(each.getKey()))
                .mapToInt(each -> each.getValue())
                .sum();
        return wrong > 0;
    }
}
