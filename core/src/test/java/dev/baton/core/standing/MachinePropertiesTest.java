package dev.baton.core.standing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Hash;
import dev.baton.core.Term;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What holds after every step, whatever happens. */
class MachinePropertiesTest {

    @Property(tries = 1_500)
    void rulesHoldInAnyWeather(
            @ForAll Fencing fencing,
            @ForAll @Size(min = 50, max = 400) List<@IntRange(min = 0, max = 99_999) Integer> choices) {
        Weather weather = new Weather(fencing);
        Rules rules = new Rules();
        weather.take(new Input.ReadinessChanged(new Readiness.Ready(), Transcript.nanos(0)));
        for (int choice : choices) {
            Standing before = weather.standing;
            Input input = weather.next(choice);
            Step step = weather.take(input);
            rules.check(before, input, step);
            checkThatSomethingLeadsOn(weather);
        }
    }

    /** No state is a dead end: as soon as everything works again, the node leads and pulses. */
    @Property(tries = 500)
    void nodeLeadsOnceTheWeatherIsGood(
            @ForAll Fencing fencing, @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 99_999) Integer> choices) {
        Weather weather = new Weather(fencing);
        choices.forEach(choice -> weather.take(weather.next(choice)));
        int pulses = 0;
        for (int i = 0; i < 400 && pulses < 3; i++) {
            Input input = weather.nextOfGoodWeather();
            weather.take(input);
            pulses += input instanceof Input.Released && weather.standing instanceof Standing.Leader ? 1 : 0;
        }
        assertThat(pulses).as("pulses of %s", weather.standing).isEqualTo(3);
    }

    private static void checkThatSomethingLeadsOn(Weather weather) {
        Standing now = weather.standing;
        boolean leadsOn = switch (now) {
            case Standing.Paused ignored -> true;
            case Standing.Asking ignored -> weather.promotionIsUnderWay();
            case Standing.Follower ignored -> weather.pulseIsSet();
            case Standing.Fenced ignored -> weather.pulseIsSet();
            case Standing.Tenured tenured ->
                tenured.tenancy().running()
                        ? weather.timeoutIsSet(tenured.tenancy().attempt())
                        : weather.pulseIsSet();
        };
        assertThat(leadsOn).as("something leads on from %s", now).isTrue();
    }

    /** The rules, and what must be remembered to check them. */
    private static final class Rules {
        private final Map<String, Hash> offered = new HashMap<>();
        private final Set<Entry> committed = new HashSet<>();
        private final Set<Term> over = new HashSet<>();
        private long attempts;

        void check(Standing before, Input input, Step step) {
            if (input instanceof Input.Committed in) {
                committed.add(in.entry());
            }
            checkEndOfTerm(before, step);
            checkDeadline(before, input, step.next());
            checkHandoffIsAnswered(before, input, step);
            step.effects().forEach(effect -> checkEffect(effect, step.next()));
            if (step.next() instanceof Standing.Tenured tenured) {
                Tenancy tenancy = tenured.tenancy();
                assertThat(tenancy.running()
                                && (tenancy.work() instanceof Work.Rest || tenancy.work() instanceof Work.Wait))
                        .as("an attempt at nothing: %s", tenancy)
                        .isFalse();
                assertThat(over).as("terms that are over").doesNotContain(tenancy.term());
            }
        }

        private void checkEndOfTerm(Standing before, Step step) {
            if (before instanceof Standing.Tenured tenured && !(step.next() instanceof Standing.Tenured)) {
                Term term = tenured.tenancy().term();
                over.add(term);
                assertThat(step.effects().getFirst())
                        .isInstanceOfSatisfying(
                                Effect.StopDuty.class,
                                stop -> assertThat(stop.term()).isEqualTo(term));
                assertThat(step.effects()).contains(new Effect.DisarmWatchdog());
            }
            for (Effect effect : step.effects()) {
                if (effect instanceof Effect.Resign(Term term, String ignored)) {
                    over.add(term);
                }
            }
        }

        /** INV-6: commits and elections renew the deadline, and nothing moves it back. */
        private static void checkDeadline(Standing before, Input input, Standing next) {
            if (before instanceof Standing.Tenured was
                    && next instanceof Standing.Tenured is
                    && was.tenancy().deadlineNanos() != is.tenancy().deadlineNanos()) {
                assertThat(input).isInstanceOfAny(Input.Committed.class, Input.Elected.class);
                assertThat(is.tenancy().deadlineNanos() - was.tenancy().deadlineNanos())
                        .as("deadline moved by %s", input)
                        .isPositive();
            }
        }

        private static void checkHandoffIsAnswered(Standing before, Input input, Step step) {
            boolean asked = input instanceof Input.HandoffAsked
                    || (before instanceof Standing.Tenured was
                            && was.tenancy().handoff().isPresent());
            boolean waits = step.next() instanceof Standing.Tenured is
                    && is.tenancy().handoff().isPresent();
            if (asked && !waits) {
                assertThat(step.effects())
                        .as("answer to a handoff, on %s", input)
                        .anyMatch(effect ->
                                effect instanceof Effect.IssueTicket || effect instanceof Effect.RefuseHandoff);
            }
        }

        private void checkEffect(Effect effect, Standing next) {
            switch (effect) {
                case Effect.Append(long ignored, Term term, Entry entry) -> {
                    checkHolds(term, next);
                    // INV-5: never another entry at a height that was offered in this term.
                    Hash first = offered.computeIfAbsent(term + "@" + entry.height(), key -> entry.hash());
                    assertThat(entry.hash()).isEqualTo(first);
                    // INV-9: whoever issued a ticket commits nothing but the abort.
                    assertThat(next instanceof Standing.Quiescing
                                    && entry.facts().stream().noneMatch(Fact.HandoffAborted.class::isInstance))
                            .isFalse();
                }
                case Effect.Release(long ignored, Entry entry) -> {
                    // INV-11: nothing leaves before it is committed.
                    assertThat(committed).contains(entry);
                    assertThat(next).isInstanceOf(Standing.Leader.class);
                }
                case Effect.Assume(long ignored, Term term, var alsoIgnored) -> checkHolds(term, next);
                case Effect.Draft ignored -> assertThat(next).isInstanceOf(Standing.Tenured.class);
                case Effect.CatchUp ignored -> assertThat(next).isInstanceOf(Standing.Opening.class);
                case Effect.ScheduleTimeout(long attempt, long ignored) -> {
                    assertThat(attempt).isGreaterThan(attempts);
                    attempts = attempt;
                }
                case Effect.IssueTicket ignored -> assertThat(next).isInstanceOf(Standing.Quiescing.class);
                default -> {}
            }
        }

        private void checkHolds(Term term, Standing next) {
            assertThat(over).as("terms that are over").doesNotContain(term);
            assertThat(next)
                    .isInstanceOfSatisfying(
                            Standing.Tenured.class,
                            tenured -> assertThat(tenured.tenancy().term()).isEqualTo(term));
        }
    }
}
