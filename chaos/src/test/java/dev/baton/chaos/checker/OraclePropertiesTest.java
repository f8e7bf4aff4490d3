package dev.baton.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** The judge's sweeps say the same as the plainest program that compares everything with everything. */
class OraclePropertiesTest {

    record Token(long invoked, long answered, int client, long start, int count, int step, int revision) {
        long end() {
            return start + (long) (count - 1) * step;
        }

        boolean isBefore(Token other) {
            return answered < other.invoked;
        }
    }

    @Provide
    Arbitrary<List<Token>> tokens() {
        Arbitrary<Token> token = Combinators.combine(
                        Arbitraries.longs().between(0, 60),
                        Arbitraries.longs().between(0, 20),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.longs().between(1, 80),
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(1, 9))
                .as((at, took, client, start, count, step, revision) ->
                        new Token(at, at + took, client, start, count, step, revision));
        return token.list().ofMaxSize(12);
    }

    @Property(tries = 2_000)
    void tokensAreJudgedAsByComparingEachWithEach(@ForAll("tokens") List<Token> tokens) {
        List<Event> events = new ArrayList<>();
        for (int op = 0; op < tokens.size(); op++) {
            Token each = tokens.get(op);
            events.add(new Event.Invoked(
                    each.invoked(), op, "c" + each.client(), "n1", new Request.Next("x", each.count(), "strict")));
            events.add(new Event.Answered(
                    each.answered(),
                    op,
                    new Answer.Issued(each.start(), each.end(), each.step(), each.revision(), 1, 1)));
        }
        Set<Rule> expected = new HashSet<>();
        Set<Long> issued = new HashSet<>();
        for (Token each : tokens) {
            for (long token = each.start(); token <= each.end(); token += each.step()) {
                if (!issued.add(token)) {
                    expected.add(Rule.UNIQUE_TOKENS);
                }
            }
            for (Token later : tokens) {
                if (each.isBefore(later) && later.start() <= each.end()) {
                    expected.add(Rule.REAL_TIME);
                }
                if (each.isBefore(later) && each.client() == later.client() && later.revision() < each.revision()) {
                    expected.add(Rule.REVISION);
                }
            }
        }
        assertThat(found(events, Rule.UNIQUE_TOKENS, Rule.REAL_TIME, Rule.REVISION))
                .isEqualTo(expected);
    }

    record Seen(int height, int hash, int parent, int epoch, int producer) {}

    @Provide
    Arbitrary<List<Seen>> sightings() {
        // Mostly one chain under slowly rising epochs, with a strange block here and there.
        Arbitrary<Seen> strange = Combinators.combine(
                        Arbitraries.integers().between(1, 6),
                        Arbitraries.integers().between(1, 8),
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(1, 2))
                .as(Seen::new);
        Arbitrary<Seen> right = Arbitraries.integers()
                .between(1, 6)
                .map(height -> new Seen(height, height, height - 1, 1 + height / 3, 1 + height / 3 % 2));
        return Arbitraries.frequencyOf(Tuple.of(8, right), Tuple.of(1, strange))
                .list()
                .ofMaxSize(10);
    }

    @Property(tries = 2_000)
    void blocksAreJudgedAsByComparingEachWithEach(@ForAll("sightings") List<Seen> sightings) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < sightings.size(); i++) {
            Seen each = sightings.get(i);
            events.add(new Event.BlockSeen(
                    i,
                    "r" + i,
                    "n1",
                    new Held(
                            each.height(),
                            "h" + each.hash(),
                            "h" + each.parent(),
                            each.epoch(),
                            "n" + each.producer(),
                            0,
                            List.of())));
        }
        Set<Rule> expected = new HashSet<>();
        Map<Integer, Set<Integer>> hashes = new HashMap<>();
        sightings.forEach(each ->
                hashes.computeIfAbsent(each.height(), h -> new HashSet<>()).add(each.hash()));
        for (Seen one : sightings) {
            Set<Integer> below = hashes.get(one.height() - 1);
            if (below != null && !below.contains(one.parent())) {
                expected.add(Rule.PARENTS);
            }
            for (Seen other : sightings) {
                if (one.height() == other.height() && one.hash() != other.hash()) {
                    expected.add(Rule.ONE_BLOCK);
                }
                if ((one.height() == other.height() && one.epoch() != other.epoch())
                        || (one.epoch() == other.epoch() && one.producer() != other.producer())) {
                    expected.add(Rule.ONE_PRODUCER);
                }
                if (one.height() < other.height() && one.epoch() > other.epoch()) {
                    expected.add(Rule.HIGHEST_EPOCH);
                }
            }
        }
        assertThat(found(events, Rule.ONE_BLOCK, Rule.ONE_PRODUCER, Rule.PARENTS, Rule.HIGHEST_EPOCH))
                .isEqualTo(expected);
    }

    private static Set<Rule> found(List<Event> events, Rule... rules) {
        Set<Rule> found =
                new HashSet<>(Judge.judge(events, Bounds.usual()).counts().keySet());
        found.retainAll(Set.of(rules));
        return found;
    }
}
