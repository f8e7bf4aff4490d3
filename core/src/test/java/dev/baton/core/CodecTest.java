package dev.baton.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecTest {

    @Test
    void storedFormIsFixedForEver() {
        Entry entry = Entry.of(
                Facts.SEAT,
                new Height(2),
                Hash.ZERO,
                new Epoch(3),
                List.of(new Fact.Resigned("bye")),
                Bytes.utf8("hi"));

        assertThat(EntryCodec.encode(entry).toHex())
                .isEqualTo(
                        "01" // format
                                + "0000000000000002" // height
                                + "00".repeat(32) // parent
                                + "0000000000000003" // author epoch
                                + "00000001" // one fact
                                + "00000006" // of six bytes:
                                + "02" + "0003" + "627965" // resigned, "bye"
                                + "6869"); // payload
    }

    /** Regression: a state shorter than its length was read as if it were whole. */
    @Test
    void checkpointWhoseStateIsCutShortIsRefused() {
        Bytes whole = FactCodec.encode(new Fact.Checkpoint(new Height(9), 1, 1, Bytes.utf8("state")));
        Bytes cut = Bytes.copyOf(whole.asBuffer().limit(whole.size() - 1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> FactCodec.decode(cut))
                .withMessage("fact: a state of 5 bytes (expected: 0 to 4)");
    }

    /** Regression: a negative number of members was read as none. */
    @Test
    void nodeSetWithNegativeCountIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FactCodec.decode(Bytes.wrap(HexFormat.of().parseHex("05ffffffff"))))
                .withMessage("fact: -1 members (expected: 0 or more)");
    }

    /** Regression: a negative number of facts was read as none, and the facts as payload. */
    @Test
    void entryWithNegativeFactCountIsRefused() {
        Entry entry = Entry.after(Head.GENESIS, Facts.SEAT, new Epoch(1), List.of(), Bytes.utf8("x"));
        byte[] bytes = EntryCodec.encode(entry).toArray();
        bytes[1 + 8 + 32 + 8] = -1;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> EntryCodec.decode(Facts.SEAT, ByteBuffer.wrap(bytes)))
                .withMessage("entry: -16777216 facts (expected: 0 or more)");
    }

    /** Regression: it was reported as "writing to memory cannot fail". */
    @Test
    void factWithTooLongTextIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FactCodec.encode(new Fact.Resigned("x".repeat(65_536))))
                .withMessageContaining("65535 bytes or less");
    }

    @Test
    void unknownKindAndFormatAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FactCodec.decode(Bytes.wrap(new byte[] {6})))
                .withMessage("fact: kind 6 (expected: 1 to 5)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EntryCodec.decode(Facts.SEAT, ByteBuffer.wrap(new byte[] {2, 0, 0})))
                .withMessage("entry: format 2 (expected: 1)");
    }

    @Test
    void decodingLeavesTheBufferAsItWas() {
        Entry entry = Entry.after(Head.GENESIS, Facts.SEAT, new Epoch(1), List.of(), Bytes.utf8("x"));
        ByteBuffer buffer = EntryCodec.encode(entry).asBuffer();
        EntryCodec.decode(Facts.SEAT, buffer);
        assertThat(buffer.position()).isZero();
        assertThat(EntryCodec.decode(Facts.SEAT, buffer)).isEqualTo(entry);
    }
}
