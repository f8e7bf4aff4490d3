package dev.baton.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

    private static final SeatId SEAT = SeatId.of("testnet", "blocks");
    private static final Term TERM = new Term(new Epoch(4), new Holder(new NodeId("n1"), new Incarnation(1)));

    @Test
    void everyEpochIsToldApartByDouble() {
        assertThat(Epoch.MAX_VALUE).isEqualTo(9_007_199_254_740_991L);
        assertThat((double) Epoch.MAX_VALUE).isNotEqualTo((double) (Epoch.MAX_VALUE - 1));
        assertThat(new Epoch(Epoch.MAX_VALUE).isAbove(new Epoch(Epoch.MAX_VALUE - 1)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, 9_007_199_254_740_992L, Long.MAX_VALUE})
    void epochOutOfBoundsIsRefused(long value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Epoch(value))
                .withMessage("epoch: " + value + " (expected: 0 to 9007199254740991)");
    }

    @Test
    void epochIsNotAboveItself() {
        assertThat(new Epoch(3).isAbove(new Epoch(3))).isFalse();
        assertThat(new Epoch(3).isAbove(new Epoch(4))).isFalse();
    }

    @Test
    void noTermHasTheEpochBeforeTheFirst() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Term(Epoch.NONE, TERM.holder()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "7", "pg-main", "a--b", "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0"})
    void plainNameIsAccepted(String name) {
        assertThat(new NodeId(name)).hasToString(name);
        assertThat(new SeatName(name)).hasToString(name);
        assertThat(new ClusterId(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "-a",
                "a-",
                "A",
                "a_b",
                "a.b",
                "a/b",
                "a b",
                "ü",
                "a\n",
                "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz01"
            })
    void nameThatWouldNotFitKeysOrFilesIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeId(name))
                .withMessageStartingWith("node: \"" + name + "\" (expected:");
        assertThatIllegalArgumentException().isThrownBy(() -> new SeatName(name));
        assertThatIllegalArgumentException().isThrownBy(() -> new ClusterId(name));
    }

    @Test
    void heightsBeginAtZeroAndDoNotOverflow() {
        assertThat(Height.ZERO.next()).isEqualTo(Height.FIRST);
        assertThatIllegalArgumentException().isThrownBy(() -> new Height(-1));
        assertThatThrownBy(() -> new Height(Long.MAX_VALUE).next()).isInstanceOf(ArithmeticException.class);
        assertThat(new Height(1).isBelow(new Height(2))).isTrue();
        assertThat(new Height(2).isBelow(new Height(2))).isFalse();
        assertThat(new Height(2).isAbove(new Height(2))).isFalse();
    }

    @Test
    void eraBeginsAtOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Era(0));
    }

    @Test
    void incarnationReadsBackFromItsText() {
        assertThat(Incarnation.parse(new Incarnation(-2).toString())).isEqualTo(new Incarnation(-2));
        assertThat(new Incarnation(0xabL)).hasToString("00000000000000ab");
    }

    @Test
    void hashReadsBackFromItsTextAndRefusesOtherSizes() {
        Hash hash = Hash.sha256(Bytes.utf8("abc"));
        assertThat(hash).hasToString("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(Hash.parse(hash.toString())).isEqualTo(hash).hasSameHashCodeAs(hash);
        assertThat(hash.toShortString()).isEqualTo("ba7816bf8f01");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Hash.of(new byte[31]))
                .withMessage("hash: 31 bytes (expected: 32)");
        assertThatIllegalArgumentException().isThrownBy(() -> Hash.parse("xyz"));
    }

    @Test
    void hashKeepsItsBytesToItself() {
        byte[] digest = new byte[Hash.SIZE];
        Hash hash = Hash.of(digest);
        digest[0] = 1;
        hash.toArray()[0] = 1;
        assertThat(hash).isEqualTo(Hash.ZERO);
    }

    @Test
    void bytesNeverChange() {
        byte[] source = {1, 2, 3};
        Bytes copy = Bytes.copyOf(source);
        Bytes ofBuffer = Bytes.copyOf(ByteBuffer.wrap(source));
        source[0] = 9;
        copy.toArray()[1] = 9;

        assertThat(copy).isEqualTo(Bytes.wrap(new byte[] {1, 2, 3})).isEqualTo(ofBuffer);
        assertThatThrownBy(() -> copy.asBuffer().put((byte) 9)).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void bytesOfBufferAreWhatRemainsAndLeaveItAlone() {
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).position(1).limit(3);
        assertThat(Bytes.copyOf(buffer).toHex()).isEqualTo("0203");
        assertThat(buffer.position()).isEqualTo(1);
    }

    @Test
    void entryKeepsItsFactsToItself() {
        List<Fact> facts = new ArrayList<>(List.of(new Fact.Resigned("bye")));
        Entry entry = Entry.after(Head.GENESIS, SEAT, new Epoch(1), facts, Bytes.EMPTY);
        facts.clear();
        assertThat(entry.facts()).hasSize(1);
    }

    @Test
    void entryAtHeightZeroIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entry.of(SEAT, Height.ZERO, Hash.ZERO, new Epoch(1), List.of(), Bytes.EMPTY));
    }

    @ParameterizedTest
    @EnumSource(Ending.class)
    void endingReadsBackFromItsCode(Ending ending) {
        assertThat(Ending.ofCode(ending.code())).isEqualTo(ending);
    }

    @Test
    void endingCodesAreFixedForEver() {
        assertThat(Ending.values()).extracting(Ending::code).containsExactly(0, 1, 2, 3, 4);
        assertThatIllegalArgumentException().isThrownBy(() -> Ending.ofCode(5));
    }

    @Test
    void claimSaysHowThePredecessorEnded() {
        Ticket ticket = new Ticket(SEAT, TERM, Head.GENESIS, new NodeId("n2"), Duration.ofSeconds(1));
        assertThat(new Claim.Vacancy().endingOfPredecessor()).isEqualTo(Ending.LAPSED);
        assertThat(new Claim.Evidence(TERM).endingOfPredecessor()).isEqualTo(Ending.REPLACED);
        assertThat(new Claim.ByTicket(ticket).endingOfPredecessor()).isEqualTo(Ending.HANDED_OFF);
    }

    @Test
    void ticketIsGoodOnlyForItsSeatTermAndHead() {
        Head head = new Head(new Height(3), Hash.sha256(Bytes.utf8("three")));
        Ticket ticket = new Ticket(SEAT, TERM, head, new NodeId("n2"), Duration.ofSeconds(1));
        Term restarted = new Term(TERM.epoch(), new Holder(TERM.node(), new Incarnation(2)));
        SeatId nextEra = new SeatId(SEAT.cluster(), SEAT.seat(), new Era(2));

        assertThat(ticket.matches(SEAT, TERM, head)).isTrue();
        assertThat(ticket.matches(nextEra, TERM, head)).isFalse();
        assertThat(ticket.matches(SEAT, restarted, head)).isFalse();
        assertThat(ticket.matches(SEAT, TERM, Head.GENESIS)).isFalse();
    }

    @Test
    void checkpointPartsAreNumberedFromOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Fact.Checkpoint(Height.FIRST, 0, 1, Bytes.EMPTY));
        assertThatIllegalArgumentException().isThrownBy(() -> new Fact.Checkpoint(Height.FIRST, 3, 2, Bytes.EMPTY));
    }

    @Test
    void ledgerRuleTellsHowAnEntryRelatesToTheHead() {
        Entry first = Entry.after(Head.GENESIS, SEAT, new Epoch(1), List.of(), Bytes.utf8("1"));
        Entry otherFirst = Entry.after(Head.GENESIS, SEAT, new Epoch(2), List.of(), Bytes.utf8("1"));
        Entry second = Entry.after(first.asHead(), SEAT, new Epoch(1), List.of(), Bytes.utf8("2"));
        Entry third = Entry.after(second.asHead(), SEAT, new Epoch(1), List.of(), Bytes.utf8("3"));

        assertThat(LedgerRule.relate(second, first.asHead())).isEqualTo(LedgerRule.NEXT);
        assertThat(LedgerRule.relate(first, first.asHead())).isEqualTo(LedgerRule.SAME_AS_HEAD);
        assertThat(LedgerRule.relate(otherFirst, first.asHead())).isEqualTo(LedgerRule.BELOW);
        assertThat(LedgerRule.relate(first, second.asHead())).isEqualTo(LedgerRule.BELOW);
        assertThat(LedgerRule.relate(third, first.asHead())).isEqualTo(LedgerRule.GAP);
        assertThat(LedgerRule.relate(second, otherFirst.asHead())).isEqualTo(LedgerRule.OTHER_PARENT);
    }
}
