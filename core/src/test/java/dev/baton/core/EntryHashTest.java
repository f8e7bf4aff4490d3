package dev.baton.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryHashTest {

    private static final Hash PARENT = Hash.parse("ab".repeat(32));
    private static final Holder HOLDER = new Holder(new NodeId("n1"), new Incarnation(0x1122334455667788L));
    private static final List<Fact> FACTS = List.of(
            new Fact.Opened(
                    new Seating(new Term(new Epoch(5), HOLDER), "127.0.0.1:7000"), Ending.RESIGNED, 1_700_000_000_000L),
            new Fact.HandoffAborted(new NodeId("n2")));
    private static final Entry ENTRY = entry("testnet", "blocks", 1, 7, PARENT, 5, FACTS, "hello");

    private static Entry entry(
            String cluster,
            String seat,
            int era,
            long height,
            Hash parent,
            long author,
            List<Fact> facts,
            String text) {
        SeatId id = new SeatId(new ClusterId(cluster), new SeatName(seat), new Era(era));
        return Entry.of(id, new Height(height), parent, new Epoch(author), facts, Bytes.utf8(text));
    }

    /** The documented layout, written by hand: big-endian numbers, a length before whatever has no fixed one. */
    @Test
    void hashIsTheDigestOfTheDocumentedBytes() throws IOException, NoSuchAlgorithmException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        text(out, "baton-entry-1");
        text(out, "testnet");
        text(out, "blocks");
        out.writeLong(7);
        out.write(HexFormat.of().parseHex("ab".repeat(32)));
        out.writeLong(5);
        out.writeInt(2);
        byte[] opened = HexFormat.of()
                .parseHex(
                        "01" // kind: opened
                                + "0000000000000005" // epoch
                                + "0002" + "6e31" // node n1
                                + "1122334455667788" // incarnation
                                + "000e" + "3132372e302e302e313a37303030" // address
                                + "01" // predecessor resigned
                                + "0000018bcfe56800"); // opened at
        out.writeInt(opened.length);
        out.write(opened);
        byte[] aborted = HexFormat.of().parseHex("03" + "0002" + "6e32");
        out.writeInt(aborted.length);
        out.write(aborted);
        text(out, "hello");

        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
        assertThat(ENTRY.hash().toString()).isEqualTo(HexFormat.of().formatHex(digest));
    }

    /** If this fails, ledgers that exist can no longer be read: change the test only together with the format's name. */
    @Test
    void goldenHashNeverChanges() {
        assertThat(ENTRY.hash()).hasToString("196b6eed982a0e520682572ed76be56ff2f7d235a614e4e3c2a738fe272f895c");
    }

    @Test
    void hashCoversEveryPartOfTheEntry() {
        List<Entry> others = List.of(
                entry("testnet2", "blocks", 1, 7, PARENT, 5, FACTS, "hello"),
                entry("testnet", "tokens", 1, 7, PARENT, 5, FACTS, "hello"),
                entry("testnet", "blocks", 1, 8, PARENT, 5, FACTS, "hello"),
                entry("testnet", "blocks", 1, 7, Hash.ZERO, 5, FACTS, "hello"),
                entry("testnet", "blocks", 1, 7, PARENT, 6, FACTS, "hello"),
                entry("testnet", "blocks", 1, 7, PARENT, 5, List.of(), "hello"),
                entry("testnet", "blocks", 1, 7, PARENT, 5, FACTS.reversed(), "hello"),
                entry("testnet", "blocks", 1, 7, PARENT, 5, FACTS, "hello!"));

        assertThat(others).extracting(Entry::hash).doesNotContain(ENTRY.hash()).doesNotHaveDuplicates();
    }

    @Test
    void hashDoesNotCoverTheEraSoThatLedgersCanMove() {
        assertThat(entry("testnet", "blocks", 2, 7, PARENT, 5, FACTS, "hello")).isEqualTo(ENTRY);
    }

    @Test
    void lengthsKeepNeighboursApart() {
        assertThat(entry("ab", "c", 1, 7, PARENT, 5, List.of(), "").hash())
                .isNotEqualTo(entry("a", "bc", 1, 7, PARENT, 5, List.of(), "").hash());
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }
}
