package dev.baton.core;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitrary facts and entries, of every kind there is. */
final class Facts {

    static final SeatId SEAT = SeatId.of("testnet", "blocks");

    private Facts() {}

    static Arbitrary<NodeId> nodes() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .ofMinLength(1)
                .ofMaxLength(63)
                .map(NodeId::new);
    }

    static Arbitrary<Epoch> epochs() {
        return Arbitraries.longs().between(1, Epoch.MAX_VALUE).map(Epoch::new);
    }

    static Arbitrary<Bytes> payloads() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(200).map(Bytes::copyOf);
    }

    static Arbitrary<Hash> hashes() {
        return Arbitraries.bytes().array(byte[].class).ofSize(Hash.SIZE).map(Hash::of);
    }

    static Arbitrary<Fact> facts() {
        Arbitrary<Term> terms = Combinators.combine(
                        epochs(), nodes(), Arbitraries.longs().map(Incarnation::new))
                .as((epoch, node, incarnation) -> new Term(epoch, new Holder(node, incarnation)));
        Arbitrary<Fact> opened = Combinators.combine(
                        terms, Arbitraries.strings().ofMaxLength(40), Arbitraries.of(Ending.class), Arbitraries.longs())
                .as((term, address, ending, millis) -> new Fact.Opened(new Seating(term, address), ending, millis));
        Arbitrary<Fact> resigned = Arbitraries.strings().ofMaxLength(60).map(Fact.Resigned::new);
        Arbitrary<Fact> aborted = nodes().map(Fact.HandoffAborted::new);
        Arbitrary<Fact> checkpoint = Combinators.combine(
                        Arbitraries.longs().greaterOrEqual(0),
                        Arbitraries.integers().between(1, 50),
                        Arbitraries.integers().between(50, 100),
                        payloads())
                .as((covers, part, parts, state) -> new Fact.Checkpoint(new Height(covers), part, parts, state));
        Arbitrary<Fact> nodeSet =
                Arbitraries.strings().ofMaxLength(20).list().ofMaxSize(7).map(Fact.NodeSet::new);
        return Arbitraries.oneOf(List.of(opened, resigned, aborted, checkpoint, nodeSet));
    }

    static Arbitrary<Entry> entries() {
        return Combinators.combine(
                        Arbitraries.longs().greaterOrEqual(1).map(Height::new),
                        hashes(),
                        epochs(),
                        facts().list().ofMaxSize(4),
                        payloads())
                .as((height, parent, author, facts, payload) -> Entry.of(SEAT, height, parent, author, facts, payload));
    }
}
