package dev.baton.duty.tokens.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.TokenSettings;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CodecTest {

    /** What {@link #fill} led to in the first form of checkpoints, as the version that wrote it did. */
    private static final String FIRST_FORM =
            "0102a1eb35c82f144bd0976cf134aa490f1d3bae58407ac8fdf4a5a8b85f933db13801010101086e313a353030"
                    + "353100010509766f75636865722f30010102feffffffffffffff7fc0843d010200010009766f75636865722f31"
                    + "010202feffffffffffffff7fc0843d010200010005636f646573020101feffffffffffffff7fc0843d0100a58d"
                    + "060001010100a58d06020200066f7264657273010101feffffffffffffff7fc0843d0100040001010100040101"
                    + "0408696e766f69636573010101feffffffffffffff7fc0843d0200ac020001010100ac020202ac028080040201"
                    + "6307030003010101648080808080200400ac02010200c1d3147b314bfe5ab78c39e6d05872ca1a4c9bd3b0e071"
                    + "55e9b22e4049c0503c";

    private final HandLedger ledger = new HandLedger();
    private final HandNode node = new HandNode("n1", ledger, TokenSettings.DEFAULT);

    /** Something of everything. */
    private void fill() {
        node.lead(Ending.NONE);
        node.create(HandNode.sharded("voucher", 2));
        node.create(HandNode.spec("codes", Guarantee.LEASED));
        node.ask("orders", 3, "c", 7);
        node.ask("orders", 1);
        node.pulse();
        node.duty.freeze("voucher", true, changed -> {});
        node.ask("codes", 5);
        node.ask("invoices", 300, "d", 1L << 40);
        node.pulse();
    }

    @Test
    void aBatchIsReadAsItWasWritten() {
        fill();
        for (var entry : ledger.entries()) {
            assertThat(BatchCodec.encode(BatchCodec.decode(entry.payload()))).isEqualTo(entry.payload());
        }
    }

    @Test
    void everyFlippedByteAndEveryLengthOfABatchIsRefused() {
        fill();
        ledger.entries().forEach(entry -> assertEveryDamageIsRefused(entry.payload(), BatchCodec::decode));
    }

    @Test
    void aCheckpointIsReadAsItWasWritten() {
        Bytes bytes = checkpoint();
        CheckpointCodec.Restored restored = CheckpointCodec.decode(bytes);
        assertThat(restored.head()).isEqualTo(ledger.head());
        assertThat(CheckpointCodec.encode(restored.state(), restored.head())).isEqualTo(bytes);
    }

    /** Otherwise an upgrade would leave a cluster whose ledger is trimmed without anybody who may lead it. */
    @Test
    void aCheckpointOfTheFirstFormIsRead() {
        CheckpointCodec.Restored restored =
                CheckpointCodec.decode(Bytes.wrap(HexFormat.of().parseHex(FIRST_FORM)));
        assertThat(CheckpointCodec.encode(restored.state(), restored.head())).isEqualTo(checkpoint());
    }

    @Test
    void everyFlippedByteAndEveryLengthOfACheckpointOfTheFirstFormIsRefused() {
        assertEveryDamageIsRefused(Bytes.wrap(HexFormat.of().parseHex(FIRST_FORM)), CheckpointCodec::decode);
    }

    @Test
    void everyFlippedByteAndEveryLengthOfACheckpointIsRefused() {
        assertEveryDamageIsRefused(checkpoint(), CheckpointCodec::decode);
    }

    private Bytes checkpoint() {
        fill();
        TokenState state = new TokenState();
        ledger.entries().forEach(state::apply);
        return CheckpointCodec.encode(state, ledger.head());
    }

    private static void assertEveryDamageIsRefused(Bytes whole, Consumer<Bytes> decode) {
        for (int i = 0; i < whole.size(); i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = whole.toArray();
                flipped[i] ^= (byte) (1 << bit);
                assertThatIllegalArgumentException().isThrownBy(() -> decode.accept(Bytes.wrap(flipped)));
            }
            byte[] cut = Arrays.copyOf(whole.toArray(), i);
            assertThatIllegalArgumentException().isThrownBy(() -> decode.accept(Bytes.wrap(cut)));
        }
        byte[] longer = Arrays.copyOf(whole.toArray(), whole.size() + 1);
        assertThatIllegalArgumentException().isThrownBy(() -> decode.accept(Bytes.wrap(longer)));
    }

    @Test
    void numbersTakeFewBytesAndComeBack() {
        for (long number : new long[] {0, 1, 127, 128, 1L << 35, Long.MAX_VALUE}) {
            Packer out = new Packer();
            out.number(number);
            Unpacker in = new Unpacker("test", out.toArray(), out.size());
            assertThat(in.number()).isEqualTo(number);
            in.end();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new Packer().number(-1));
    }
}
