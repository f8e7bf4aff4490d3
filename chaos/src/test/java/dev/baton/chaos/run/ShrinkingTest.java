package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.checker.Rule;
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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose outcome is made up: a schedule fails if it has certain faults. */
class ShrinkingTest {

    private static final Event.Begun FAILED = (Event.Begun) MadeUp.CLEAN.getFirst();
    private static final Set<Rule> BROKEN = Set.of(Rule.AGREEMENT);

    @TempDir
    Path folder = Path.of("");

    private final List<Path> reports = new ArrayList<>();

    @Test
    void theShortestScheduleThatFailsIsLeftAsAJournal() throws IOException {
        List<Integer> guilty = List.of(2, 5);

        Shrink.Outcome<PlannedFault> found = new Shrinking(
                        (settings, tell) -> {
                            reports.add(settings.report());
                            return ids(settings).containsAll(guilty) ? MadeUp.failedByAgreement() : MadeUp.passed();
                        },
                        line -> {})
                .search(settings(), FAILED, BROKEN);

        assertThat(found.minimal()).isTrue();
        Event.Begun shrunk = Journal.read(folder.resolve(Shrinking.SHRUNK)).begun();
        assertThat(shrunk.plan()).extracting(PlannedFault::id).isEqualTo(guilty);
        assertThat(shrunk.setting()).isEqualTo(FAILED.setting());
        assertThat(reports).as("a folder for each try").doesNotHaveDuplicates();
    }

    /** Every part fails here; only those with the guilty ones fail as the whole did. */
    @Test
    void aPartThatBreaksAnotherRuleIsNotTheFailureThatIsLookedFor() throws IOException {
        List<Integer> guilty = List.of(2, 5);

        Shrink.Outcome<PlannedFault> found = new Shrinking(
                        (settings, tell) -> ids(settings).containsAll(guilty)
                                ? MadeUp.failedByAgreement()
                                : MadeUp.failedByProgress(),
                        line -> {})
                .search(settings(), FAILED, BROKEN);

        assertThat(found.smallest()).extracting(PlannedFault::id).isEqualTo(guilty);
    }

    @Test
    void anInterruptedTryEndsTheSearchWithTheBestSoFar() throws IOException {
        Shrink.Outcome<PlannedFault> found = new Shrinking(
                        (settings, tell) -> {
                            reports.add(settings.report());
                            return MadeUp.interrupted();
                        },
                        line -> {})
                .search(settings(), FAILED, BROKEN);

        assertThat(reports).hasSize(1);
        assertThat(found.minimal()).isFalse();
        assertThat(found.smallest()).isEqualTo(FAILED.plan());
    }

    private static List<Integer> ids(ChaosSettings settings) {
        return settings.schedule().orElseThrow().stream().map(PlannedFault::id).toList();
    }

    private ChaosSettings settings() {
        return new ChaosSettings(
                "redis", "sequencer", 7, Duration.ofSeconds(20), Nemesis.KINDS, Optional.empty(), folder);
    }
}
