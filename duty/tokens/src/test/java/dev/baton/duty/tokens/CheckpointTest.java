package dev.baton.duty.tokens;

import static dev.baton.duty.tokens.fixture.HandNode.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.duty.tokens.fixture.HandNode.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckpointTest {

    private static final TokenSettings SETTINGS =
            new TokenSettings(true, 1000, 100_000, 100_000, 100_000, 100, 50_000, 10, Optional.empty());

    private final HandLedger ledger = new HandLedger();
    private final HandNode node = new HandNode("n1", ledger, SETTINGS);

    private static List<Fact.Checkpoint> partsIn(List<Entry> entries) {
        return entries.stream()
                .flatMap(entry -> entry.facts().stream())
                .filter(Fact.Checkpoint.class::isInstance)
                .map(Fact.Checkpoint.class::cast)
                .toList();
    }

    private Height heightOf(Fact.Checkpoint part) {
        return ledger.entries().stream()
                .filter(entry -> entry.facts().contains(part))
                .findFirst()
                .orElseThrow()
                .height();
    }

    /** So much state that a checkpoint has several parts. */
    private void fill() {
        node.leadAndOpen(Ending.NONE);
        node.created(spec("codes", Guarantee.LEASED));
        for (int batch = 0; batch < 4; batch++) {
            for (int i = 0; i < 5_000; i++) {
                node.ask("orders", 1, "client-with-a-long-name-" + i, 1 + batch);
            }
            node.pulse();
        }
        node.ask("codes", 1);
        while (partsIn(ledger.entries()).stream().noneMatch(part -> part.part() == part.parts())) {
            node.pulse();
        }
    }

    @Test
    void aNodeOnATrimmedLedgerIsRebuiltFromACheckpointOfSeveralParts() {
        fill();
        List<Fact.Checkpoint> parts = partsIn(ledger.entries());
        assertThat(parts)
                .hasSizeGreaterThan(1)
                .allSatisfy(part -> assertThat(part.state().size()).isLessThanOrEqualTo(512 << 10));
        node.handed("orders", 3);
        Height first = heightOf(parts.getFirst());
        assertThat(parts.getFirst().covers().next()).isEqualTo(first);
        ledger.trim(first);

        HandNode fresh = new HandNode("n2", ledger, SETTINGS);
        fresh.duty.catchUp(ledger.oldest());
        assertThat(fresh.duty.applied().next()).isEqualTo(ledger.oldest());
        assertThat(fresh.duty.readiness()).isInstanceOf(Readiness.NotReady.class);
        List<Entry> entries = ledger.entries();
        fresh.duty.apply(entries.subList(0, parts.size() - 1));
        assertThat(fresh.duty.readiness()).isInstanceOf(Readiness.NotReady.class);
        fresh.duty.apply(entries.subList(parts.size() - 1, entries.size()));
        assertThat(fresh.duty.readiness()).isInstanceOf(Readiness.Ready.class);
        assertThat(fresh.duty.checkpoint()).isEqualTo(node.duty.checkpoint());
    }

    @Test
    void theRebuiltStateIsTheLiveOneByteForByteAndGoesOnFromThere() {
        fill();
        node.handed("orders", 3);
        ledger.trim(heightOf(partsIn(ledger.entries()).getFirst()));
        HandNode fresh = new HandNode("n2", ledger, SETTINGS).follow();
        assertThat(fresh.duty.readiness()).isInstanceOf(Readiness.Ready.class);
        assertThat(fresh.duty.checkpoint()).isEqualTo(node.duty.checkpoint());
        fresh.leadAndOpen(Ending.LAPSED);
        assertThat(fresh.handed("orders", 1).start()).isEqualTo(20_004);
        Told<Answer> retry = fresh.ask("orders", 1, "client-with-a-long-name-7", 1);
        fresh.pulse();
        assertThat(((Answer.Handed) retry.answer()).duplicate()).isTrue();
    }

    @Test
    void aNodeThatFellBehindATrimmedLedgerDoesTheSame() {
        HandNode behind = new HandNode("n2", ledger, SETTINGS);
        node.leadAndOpen(Ending.NONE);
        node.handed("orders", 1);
        behind.follow();
        for (int i = 0; i < 30; i++) {
            node.handed("orders", 1);
        }
        ledger.trim(heightOf(partsIn(ledger.entries()).getLast()));
        assertThat(ledger.oldest()).isGreaterThan(behind.duty.applied().next());
        behind.follow();
        assertThat(behind.duty.checkpoint()).isEqualTo(node.duty.checkpoint());
    }

    @Test
    void anUnfinishedCheckpointIsBegunAnewByTheNextHolder() {
        node.leadAndOpen(Ending.NONE);
        for (int i = 0; i < 20_000; i++) {
            node.ask("orders", 1, "client-with-a-long-name-" + i, 1);
        }
        node.pulse();
        while (partsIn(ledger.entries()).isEmpty()) {
            node.pulse();
        }
        assertThat(partsIn(ledger.entries()))
                .singleElement()
                .satisfies(part -> assertThat(part.parts()).isGreaterThan(1));
        node.stepDown("test");
        HandNode next = new HandNode("n2", ledger, SETTINGS);
        next.leadAndOpen(Ending.RESIGNED);
        List<Fact.Checkpoint> parts = partsIn(ledger.entries());
        assertThat(parts.getLast().part()).isEqualTo(1);
        assertThat(parts.getLast().covers()).isGreaterThan(parts.getFirst().covers());
        while (partsIn(ledger.entries()).getLast().part()
                < partsIn(ledger.entries()).getLast().parts()) {
            next.pulse();
        }
        ledger.trim(heightOf(partsIn(ledger.entries()).get(1)));
        HandNode fresh = new HandNode("n3", ledger, SETTINGS).follow();
        assertThat(fresh.duty.checkpoint()).isEqualTo(next.duty.checkpoint());
        assertThat(fresh.duty.figures().entriesSinceCheckpoint())
                .isEqualTo(next.duty.figures().entriesSinceCheckpoint());
        assertThat(fresh.duty.figures().checkpointBytes())
                .isEqualTo(next.duty.figures().checkpointBytes())
                .isPositive();
    }

    @Test
    void aDamagedCheckpointMakesTheNodeNotReadyAndNeverZero() {
        node.leadAndOpen(Ending.NONE);
        node.handed("orders", 5);
        while (partsIn(ledger.entries()).isEmpty()) {
            node.pulse();
        }
        Entry carrier = ledger.entries().getLast();
        Fact.Checkpoint whole = partsIn(List.of(carrier)).getFirst();
        byte[] bytes = whole.state().toArray();
        bytes[bytes.length / 2] ^= 1;
        List<Fact> facts = new ArrayList<>(carrier.facts());
        facts.remove(whole);
        facts.add(new Fact.Checkpoint(whole.covers(), 1, 1, Bytes.wrap(bytes)));
        Entry damaged = Entry.of(
                HandLedger.SEAT, carrier.height(), carrier.parent(), carrier.author(), facts, carrier.payload());

        HandNode fresh = new HandNode("n2", ledger, SETTINGS);
        fresh.duty.catchUp(carrier.height());
        fresh.duty.apply(List.of(damaged));
        assertThat(fresh.duty.readiness())
                .isInstanceOfSatisfying(
                        Readiness.NotReady.class, not -> assertThat(not.why()).contains("damaged", "checksum"));
        assertThatThrownBy(fresh.duty::probe).hasMessageContaining("damaged");
        assertThatThrownBy(() -> fresh.lead(Ending.LAPSED)).isInstanceOf(IllegalStateException.class);
    }
}
