package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.SyntheticRun;
import dev.baton.chaos.checker.Bounds;
import dev.baton.chaos.checker.Judge;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Journal;
import dev.baton.chaos.nemesis.Nemesis;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.shrink.Shrink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose outcome is made up: a schedule fails if it has certain faults. */
class ShrinkingTest {

    private static final List<Event> CLEAN = SyntheticRun.small();

    @TempDir
    Path folder = Path.of("");

    private final List<Path> reports = new ArrayList<>();

    @Test
    void theShortestScheduleThatFailsIsLeftAsAJournal() throws IOException {
        Event.Begun failed = (Event.Begun) CLEAN.getFirst();
        List<Integer> guilty = List.of(2, 5);

        Shrink.Outcome<PlannedFault> found = new Shrinking(
                        settings -> {
                            reports.add(settings.report());
                            return outcome(ids(settings).containsAll(guilty), false);
                        },
                        line -> {})
                .search(settings(), failed);

        assertThat(found.minimal()).isTrue();
        Event.Begun shrunk = Journal.read(folder.resolve(Shrinking.SHRUNK)).begun();
        assertThat(shrunk.plan()).extracting(PlannedFault::id).isEqualTo(guilty);
        assertThat(shrunk.setting()).isEqualTo(failed.setting());
        assertThat(reports).as("a folder for each try").doesNotHaveDuplicates();
    }

    @Test
    void anInterruptedTryEndsTheSearchWithTheBestSoFar() throws IOException {
        Event.Begun failed = (Event.Begun) CLEAN.getFirst();

        Shrink.Outcome<PlannedFault> found = new Shrinking(
                        settings -> {
                            reports.add(settings.report());
                            return outcome(false, true);
                        },
                        line -> {})
                .search(settings(), failed);

        assertThat(reports).hasSize(1);
        assertThat(found.minimal()).isFalse();
        assertThat(found.smallest()).isEqualTo(failed.plan());
    }

    private static List<Integer> ids(ChaosSettings settings) {
        return settings.schedule().orElseThrow().stream().map(PlannedFault::id).toList();
    }

    private ChaosSettings settings() {
        return new ChaosSettings(
                "redis", "sequencer", 7, Duration.ofSeconds(20), Nemesis.KINDS, Optional.empty(), folder);
    }

    private static ChaosRun.Outcome outcome(boolean fails, boolean interrupted) {
        List<Event> events = new ArrayList<>(CLEAN);
        if (interrupted) {
            events.removeIf(Event.Ended.class::isInstance);
            events.add(new Event.Ended(1, false, "it was interrupted"));
        }
        if (fails) {
            events.removeIf(event ->
                    event instanceof Event.FinalStore store && store.source().equals("n1"));
        }
        Account account = Account.of(events);
        Judgement judgement = Judge.judge(account, Bounds.usual());
        return new ChaosRun.Outcome(account, judgement, Path.of("report.html"));
    }
}
