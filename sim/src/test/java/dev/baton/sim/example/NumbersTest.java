package dev.baton.sim.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Entry;
import dev.baton.core.Hash;
import dev.baton.sim.DutyFactory;
import dev.baton.sim.Engine;
import dev.baton.sim.Judge;
import dev.baton.sim.Outcome;
import dev.baton.sim.Scenario;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NumbersTest {

    /** What all nodes of one world have given out: the outside world, which outlives every process. */
    private static BiConsumer<Long, Entry> once(Map<Long, Hash> given, Judge judge) {
        return (number, entry) -> {
            Hash before = given.putIfAbsent(number, entry.hash());
            judge.expect(
                    before == null || before.equals(entry.hash()), "NUMBERS", () -> number + " was given out twice");
        };
    }

    private static Outcome run(Engine.Kind engine, long seed, DutyFactory duties) {
        return Scenario.of(engine, seed).with(duties).run(seed);
    }

    @ParameterizedTest
    @EnumSource(Engine.Kind.class)
    void noNumberIsGivenOutTwice(Engine.Kind engine) {
        LongStream.rangeClosed(1, 20).forEach(seed -> {
            Map<Long, Hash> given = new HashMap<>();
            Outcome outcome = run(engine, seed, (self, world, judge) -> new Numbers(once(given, judge)));
            assertThat(outcome.violations()).as("seed %d", seed).isEmpty();
            assertThat(given).hasSizeGreaterThan(10);
        });
    }

    @ParameterizedTest
    @EnumSource(Engine.Kind.class)
    void aDutyThatDoesNotLearnFromTheLedgerIsNoticed(Engine.Kind engine) {
        Map<Long, Hash> given = new HashMap<>();
        Outcome outcome = run(engine, 2, (self, world, judge) -> new Numbers(once(given, judge)) {
            @Override
            void learn(Entry entry) {
                skip(entry);
            }
        });
        assertThat(outcome.violations()).anyMatch(violation -> violation.rule().equals("NUMBERS"));
        assertThat(outcome.transcript()).isNotEmpty();
    }
}
