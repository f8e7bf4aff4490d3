package dev.baton.chaos.shrink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ShrinkTest {

    private static final List<Integer> FORTY =
            IntStream.rangeClosed(1, 40).boxed().toList();

    @Property(tries = 300)
    void whatIsNeededIsFoundAndNothingElse(@ForAll @Size(max = 6) Set<@IntRange(min = 1, max = 40) Integer> needed) {
        Shrink.Outcome<Integer> outcome = Shrink.search(FORTY, part -> part.containsAll(needed), () -> true);
        assertThat(outcome.smallest()).containsExactlyInAnyOrderElementsOf(needed);
        assertThat(outcome.smallest()).isSorted();
        assertThat(outcome.minimal()).isTrue();
    }

    @Property(tries = 300)
    void aFailureWithSeveralCausesIsReducedToOneFromWhichNothingCanBeLeftOut(
            @ForAll @Size(min = 1, max = 4) Set<@IntRange(min = 1, max = 40) Integer> one,
            @ForAll @Size(min = 1, max = 4) Set<@IntRange(min = 1, max = 40) Integer> other) {
        Shrink.Outcome<Integer> outcome =
                Shrink.search(FORTY, part -> part.containsAll(one) || part.containsAll(other), () -> true);
        for (int left : outcome.smallest()) {
            List<Integer> smaller = new ArrayList<>(outcome.smallest());
            smaller.removeIf(each -> each == left);
            assertThat(smaller.containsAll(one) || smaller.containsAll(other)).isFalse();
        }
    }

    @Test
    void noPartIsTriedTwiceAndAPairAmongFortyTakesFewTries() {
        Set<List<Integer>> tried = new HashSet<>();
        Shrink.Outcome<Integer> outcome = Shrink.search(
                FORTY,
                part -> {
                    assertThat(tried.add(part)).isTrue();
                    return part.containsAll(List.of(3, 38));
                },
                () -> true);
        assertThat(outcome.smallest()).containsExactly(3, 38);
        assertThat(outcome.tries()).isEqualTo(tried.size()).isLessThan(60);
    }

    @Test
    void aFailureThatNeedsNoFaultsIsReducedToNone() {
        assertThat(Shrink.search(FORTY, part -> true, () -> true).smallest()).isEmpty();
    }

    @Test
    void whenTimeIsOverTheBestSoFarIsGiven() {
        int[] left = {5};
        Shrink.Outcome<Integer> outcome = Shrink.search(FORTY, part -> part.contains(7), () -> left[0]-- > 0);
        assertThat(outcome.minimal()).isFalse();
        assertThat(outcome.tries()).isEqualTo(5);
        assertThat(outcome.smallest()).contains(7).hasSizeLessThan(40);
    }

    @Test
    void equalElementsAreToldApartByTheirPlace() {
        List<String> twice = List.of("kill", "pause", "kill", "pause");
        Shrink.Outcome<String> outcome = Shrink.search(
                twice, part -> part.stream().filter("kill"::equals).count() == 2, () -> true);
        assertThat(outcome.smallest()).containsExactly("kill", "kill");
    }
}
