package dev.baton.duty.sequencer.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Bytes;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockBodyCodecTest {

    private static final BlockBody BODY =
            new BlockBody(0x0102030405060708L, "local:7", List.of(Bytes.utf8("a"), Bytes.EMPTY, Bytes.utf8("bc")));

    @Test
    void bodyIsReadBackAsItWasWritten() {
        assertThat(BlockBodyCodec.decode(BlockBodyCodec.encode(BODY))).isEqualTo(BODY);
        BlockBody empty = new BlockBody(0, "", List.of());
        assertThat(BlockBodyCodec.decode(BlockBodyCodec.encode(empty))).isEqualTo(empty);
    }

    /** The hash of every block ever made covers these bytes: they must not change. */
    @Test
    void bytesAreFixed() {
        assertThat(BlockBodyCodec.encode(BODY).toHex())
                .isEqualTo("01" + "0102030405060708" + "00000007" + "6c6f63616c3a37" + "00000003" + "0000000161"
                        + "00000000" + "000000026263");
    }

    @Test
    void sizesAddUpToTheEncodedSize() {
        int size = BlockBodyCodec.sizeOfEmpty(BODY.l1Origin())
                + BODY.transactions().stream().mapToInt(BlockBodyCodec::sizeOf).sum();
        assertThat(BlockBodyCodec.encode(BODY).size()).isEqualTo(size);
    }

    @Test
    void everyTruncationAndAnExtraByteAreRefused() {
        byte[] whole = BlockBodyCodec.encode(BODY).toArray();
        for (int length = 0; length < whole.length; length++) {
            Bytes part = Bytes.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> BlockBodyCodec.decode(part))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("block body");
        }
        assertThatThrownBy(() -> BlockBodyCodec.decode(Bytes.wrap(Arrays.copyOf(whole, whole.length + 1))))
                .hasMessageContaining("1 bytes after the last transaction");
    }

    @Test
    void otherFormatIsRefused() {
        byte[] bytes = BlockBodyCodec.encode(BODY).toArray();
        bytes[0] = 2;
        assertThatThrownBy(() -> BlockBodyCodec.decode(Bytes.wrap(bytes)))
                .hasMessageContaining("format 2 (expected: 1)");
    }
}
