package dev.baton.core.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Walks every (standing, input) pair with samples of both. */
class TableTest {

    @ParameterizedTest
    @EnumSource(Fencing.class)
    void everyPairHasAStepThatKeepsItsRowsWord(Fencing fencing) {
        StandingMachine machine = new StandingMachine(Transcript.rules(fencing));
        for (Standing standing : Samples.standings()) {
            for (Input input : Samples.inputs()) {
                Transition<?, ?> row = rowFor(machine, standing, input);
                Step step = machine.step(standing, input);
                String pair = standing + "\n on " + input + "\n took \"" + row.when() + "\": " + row.does();
                if (row.isIgnored()) {
                    assertThat(step.next()).as(pair).isEqualTo(standing);
                    assertThat(step.effects()).as(pair).isEmpty();
                } else {
                    assertThat(row.to()).as(pair).contains(step.next().getClass());
                }
            }
        }
    }

    @Test
    void lastRowOfEveryPairIsUnguarded() {
        List<Transition<?, ?>> table = new StandingMachine(Transcript.rules(Fencing.AT_LEDGER)).table();
        for (Class<? extends Standing> standing : TransitionTable.STANDINGS) {
            for (Class<?> input : Input.class.getPermittedSubclasses()) {
                List<Transition<?, ?>> rows = table.stream()
                        .filter(row -> row.from().isAssignableFrom(standing) && row.on() == input)
                        .toList();
                assertThat(rows).as("%s on %s", standing, input).isNotEmpty();
                assertThat(rows.getLast().when())
                        .as("%s on %s", standing, input)
                        .isEmpty();
            }
        }
    }

    @Test
    void everyDeclaredTargetIsReachedBySomeSample() {
        Set<String> missing = new HashSet<>();
        Set<String> reached = new HashSet<>();
        for (Fencing fencing : Fencing.values()) {
            StandingMachine machine = new StandingMachine(Transcript.rules(fencing));
            for (Transition<?, ?> row : machine.table()) {
                row.to().forEach(to -> missing.add(describe(row, to)));
            }
            for (Standing standing : Samples.standings()) {
                for (Input input : Samples.inputs()) {
                    Transition<?, ?> row = rowFor(machine, standing, input);
                    reached.add(
                            describe(row, machine.step(standing, input).next().getClass()));
                }
            }
        }
        missing.removeAll(reached);
        assertThat(missing).as("targets in the table that nothing leads to").isEmpty();
    }

    @Test
    void samplesCoverEveryStandingInputAndStage() {
        assertThat(Samples.standings().stream().map(Object::getClass).distinct().toList())
                .hasSameElementsAs(new ArrayList<Class<?>>(TransitionTable.STANDINGS));
        assertThat(Samples.inputs().stream().map(Object::getClass).distinct().toList())
                .hasSameElementsAs(List.of(Input.class.getPermittedSubclasses()));
        assertThat(Samples.works().stream().map(Object::getClass).distinct().toList())
                .hasSameElementsAs(List.of(Work.class.getPermittedSubclasses()));
    }

    private static String describe(Transition<?, ?> row, Class<?> to) {
        return row.from().getSimpleName() + " on " + row.on().getSimpleName() + " \"" + row.when() + "\" -> "
                + to.getSimpleName();
    }

    private static Transition<?, ?> rowFor(StandingMachine machine, Standing standing, Input input) {
        return machine.table().stream()
                .filter(row -> row.appliesTo(standing, input))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row for " + standing + " on " + input));
    }
}
