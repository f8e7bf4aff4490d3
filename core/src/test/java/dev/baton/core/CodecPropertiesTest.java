package dev.baton.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CodecPropertiesTest {

    @Property
    void factReadsBackAsItWasWritten(@ForAll("facts") Fact fact) {
        assertThat(FactCodec.decode(FactCodec.encode(fact))).isEqualTo(fact);
    }

    @Property
    void entryReadsBackAsItWasWritten(@ForAll("entries") Entry entry) {
        Entry back = EntryCodec.decode(Facts.SEAT, EntryCodec.encode(entry).asBuffer());
        // Equality of entries is equality of hashes, so each part is compared as well.
        assertThat(back).isEqualTo(entry);
        assertThat(back.height()).isEqualTo(entry.height());
        assertThat(back.parent()).isEqualTo(entry.parent());
        assertThat(back.author()).isEqualTo(entry.author());
        assertThat(back.facts()).isEqualTo(entry.facts());
        assertThat(back.payload()).isEqualTo(entry.payload());
    }

    @Property
    void everyTruncatedFactIsRefused(@ForAll("facts") Fact fact) {
        byte[] whole = FactCodec.encode(fact).toArray();
        for (int length = 0; length < whole.length; length++) {
            Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> FactCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Property
    void bytesLeftOverAfterFactAreRefused(@ForAll("facts") Fact fact, @ForAll byte extra) {
        byte[] whole = FactCodec.encode(fact).toArray();
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        longer[whole.length] = extra;
        assertThatThrownBy(() -> FactCodec.decode(Bytes.wrap(longer))).isInstanceOf(IllegalArgumentException.class);
    }

    /** The payload is whatever follows, so only what precedes it can be cut short. */
    @Property
    void everyEntryCutBeforeItsPayloadIsRefused(@ForAll("entries") Entry entry) {
        byte[] whole = EntryCodec.encode(entry).toArray();
        for (int length = 0; length < whole.length - entry.payload().size(); length++) {
            Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> EntryCodec.decode(Facts.SEAT, cut.asBuffer()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Property
    void garbledFactIsReadOrRefusedButNeverFailsOtherwise(@ForAll("facts") Fact fact, @ForAll long seed) {
        byte[] garbled = garbled(FactCodec.encode(fact).toArray(), new Random(seed));
        try {
            Fact read = FactCodec.decode(Bytes.wrap(garbled));
            assertThat(FactCodec.decode(FactCodec.encode(read))).isEqualTo(read);
        } catch (IllegalArgumentException expected) {
            assertThat(expected).hasMessageNotContaining("null");
        }
    }

    @Property
    void garbledEntryIsRefusedOrHasAnotherHash(@ForAll("entries") Entry entry, @ForAll long seed) {
        byte[] whole = EntryCodec.encode(entry).toArray();
        byte[] garbled = garbled(whole, new Random(seed));
        try {
            Entry read = EntryCodec.decode(Facts.SEAT, Bytes.wrap(garbled).asBuffer());
            // Two spellings of one text may read the same; then the canonical bytes are the same too.
            assertThat(read.equals(entry)).isEqualTo(EntryCodec.encode(read).equals(Bytes.wrap(whole)));
        } catch (IllegalArgumentException expected) {
            assertThat(expected).hasMessageNotContaining("null");
        }
    }

    private static byte[] garbled(byte[] bytes, Random random) {
        byte[] copy = bytes.clone();
        for (int i = 0; i <= random.nextInt(4); i++) {
            copy[random.nextInt(copy.length)] = random.nextBoolean()
                    ? (byte) random.nextInt(256)
                    : new byte[] {0, 1, 127, -128, -1}[random.nextInt(5)];
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(copy, random.nextInt(copy.length + 8)) : copy;
    }

    @Provide
    Arbitrary<Fact> facts() {
        return Facts.facts();
    }

    @Provide
    Arbitrary<Entry> entries() {
        return Facts.entries();
    }
}
