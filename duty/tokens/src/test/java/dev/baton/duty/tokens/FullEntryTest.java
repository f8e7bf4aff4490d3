package dev.baton.duty.tokens;

import static dev.baton.duty.tokens.fixture.HandNode.sharded;
import static dev.baton.duty.tokens.fixture.HandNode.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.duty.tokens.fixture.HandNode.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** No entry is larger than what every engine takes, whatever waits; and what does not get in gets into a later one. */
class FullEntryTest {

    /** Each engine takes a payload of 1 MiB; half of that is for a part of a checkpoint. */
    private static final int MOST_BYTES = 513 << 10;

    /** Nothing but the room in an entry is a limit here. */
    private static final TokenSettings SETTINGS =
            new TokenSettings(true, Long.MAX_VALUE, 1 << 20, 1 << 20, 1 << 20, 100, 1 << 20, 1 << 20, Optional.empty());

    private final HandLedger ledger = new HandLedger();
    private final HandNode node = new HandNode("n1", ledger, SETTINGS);

    /** Entries until all are told; none of them too large. */
    private int pulsesUntilTold(List<? extends Told<?>> told) {
        int pulses = 0;
        while (!told.stream().allMatch(Told::isTold)) {
            int before = node.tenure().pulsesRequested.get();
            assertFits(node.pulse());
            pulses++;
            assertThat(pulses).isLessThan(100);
            if (!told.stream().allMatch(Told::isTold)) {
                assertThat(node.tenure().pulsesRequested.get())
                        .as("those who are left ask for the next entry")
                        .isGreaterThan(before);
            }
        }
        return pulses;
    }

    private static void assertFits(Entry entry) {
        assertThat(entry.payload().size()).isLessThan(MOST_BYTES);
    }

    private static String longest(String end) {
        return "n".repeat(63) + "/" + "n".repeat(54) + end; // with a shard's number as long as a name may be
    }

    private void assertRebuiltAlike() {
        HandNode follower = new HandNode("n2", ledger, SETTINGS).follow();
        assertThat(follower.duty.checkpoint()).isEqualTo(node.duty.checkpoint());
    }

    private List<Told<Changed>> createShards(int wishes) {
        return IntStream.range(0, wishes)
                .mapToObj(i -> node.create(sharded(longest("%03d".formatted(i)), 1024)))
                .toList();
    }

    @Test
    void manyWishesForManyNamespacesAreSpreadOverEntries() {
        node.leadAndOpen(Ending.NONE);
        List<Told<Changed>> told = createShards(20);

        assertThat(pulsesUntilTold(told)).isGreaterThan(5);

        assertThat(told).allSatisfy(each -> assertThat(each.answer()).isInstanceOf(Changed.Done.class));
        assertThat(node.duty.namespaceCount()).isEqualTo(20 * 1024);
        List<Told<Changed>> thawed = new ArrayList<>();
        for (int i = 0; i < 400; i++) { // each changes 1024 namespaces
            Told<Changed> one = new Told<>();
            node.duty.freeze(longest("%03d".formatted(i % 20)), i / 20 % 2 == 0, one);
            thawed.add(one);
        }
        assertThat(pulsesUntilTold(thawed)).isGreaterThan(3);
        assertRebuiltAlike();
    }

    /** Those who came first were taken into a draft that was never offered. */
    @Test
    void aDraftMadeAnewTakesNoMoreThanFits() {
        node.leadAndOpen(Ending.NONE);
        List<Told<Answer>> told = IntStream.range(0, 20_000)
                .mapToObj(i -> node.ask("orders", 1, "c".repeat(59) + "%05d".formatted(i), 1))
                .toList();
        assertFits(node.propose());
        List<Told<Changed>> created = createShards(4);
        assertFits(node.propose());

        pulsesUntilTold(told);
        pulsesUntilTold(created);

        for (int i = 0; i < told.size(); i++) {
            assertThat(told.get(i).answer()).isInstanceOf(Answer.Handed.class);
        }
        assertThat(told.stream()
                        .map(each -> ((Answer.Handed) each.answer()).start())
                        .toList())
                .as("first come, first served")
                .isSorted();
        assertThat(node.duty.figures().waiting()).isZero();
        assertRebuiltAlike();
    }

    @Test
    void theLargestNumbersAreCountedAsWhatTheyTake() {
        node.leadAndOpen(Ending.NONE);
        node.created(spec("orders", 1, 1, Long.MAX_VALUE - 1));
        long each = Long.MAX_VALUE / 100_000;
        List<Told<Answer>> told = IntStream.range(0, 40_000)
                .mapToObj(i -> node.ask("orders", each, "c", Long.MAX_VALUE - i))
                .toList();

        assertThat(pulsesUntilTold(told)).isGreaterThan(1);

        assertRebuiltAlike();
    }

    @Test
    void rangesOfVeryManyLeasedNamespacesAreSpreadOverEntriesAndNobodyStarves() {
        node.leadAndOpen(Ending.NONE);
        int namespaces = 40_000;
        List<Told<Changed>> created = IntStream.range(0, namespaces)
                .mapToObj(i -> node.create(spec("ns-" + i, Guarantee.LEASED)))
                .toList();
        pulsesUntilTold(created);

        List<Told<Answer>> waited = IntStream.range(0, namespaces)
                .mapToObj(i -> node.ask("ns-" + i, 1))
                .toList();
        assertThat(pulsesUntilTold(waited)).isGreaterThan(1);

        for (int i = 0; i < namespaces; i++) { // each of them is more than half used then
            assertThat(node.ask("ns-" + i, 60).isTold()).isTrue();
        }
        for (int i = 0; i < namespaces; i++) { // and what is left is not enough
            Told<Answer> told = node.ask("ns-" + i, 1000);
            assertThat(told.isTold()).isFalse();
        }
        int pulses = 0;
        while (node.duty.figures().waiting() > 0) {
            assertFits(node.pulse());
            assertThat(++pulses).isLessThan(20);
        }
        for (int i = 0; i < namespaces; i++) {
            assertThat(((Answer.Handed) node.ask("ns-" + i, 1).answer()).start())
                    .isEqualTo(1 + 1 + 60 + 1000);
        }
        assertRebuiltAlike();
    }
}
