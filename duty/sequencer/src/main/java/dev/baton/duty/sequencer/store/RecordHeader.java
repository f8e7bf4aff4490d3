package dev.baton.duty.sequencer.store;

import dev.baton.core.Era;
import dev.baton.core.SeatId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The beginning of every file of records: what it is, in which version, and whose.
 *
 * <p>256 bytes: the magic word, the version, the length and text of the identity, zeros, a checksum.
 */
public final class RecordHeader {

    static final int SIZE = 256;
    private static final int VERSION = 1;
    private static final int MAGIC_SIZE = 8;

    private final byte[] magic;
    private final SeatId seat;

    /** @param magic eight characters that name the kind of file */
    public RecordHeader(String magic, SeatId seat) {
        this.magic = magic.getBytes(StandardCharsets.US_ASCII);
        if (this.magic.length != MAGIC_SIZE) {
            throw new IllegalArgumentException("magic: \"" + magic + "\" (expected: " + MAGIC_SIZE + " characters)");
        }
        this.seat = seat;
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(SIZE);
        byte[] text = seat.toString().getBytes(StandardCharsets.UTF_8);
        out.put(magic).putInt(VERSION).putInt(text.length).put(text);
        out.putInt(SIZE - Integer.BYTES, checksum(out.array()));
        return out.array();
    }

    void check(Path file, byte[] header) throws StoreUnusableException {
        ByteBuffer in = ByteBuffer.wrap(header);
        byte[] foundMagic = new byte[MAGIC_SIZE];
        in.get(foundMagic);
        int version = in.getInt();
        // The version comes before the checksum: a newer format may keep its checksum elsewhere.
        if (Arrays.equals(magic, foundMagic) && version > VERSION) {
            throw new StoreUnusableException(file + ": format version " + version + " (expected: " + VERSION
                    + "); a newer release wrote it: start that release, or move the folder aside and restart: the"
                    + " node refills it from its peers and the ledger");
        }
        if (!Arrays.equals(magic, foundMagic) || in.getInt(SIZE - Integer.BYTES) != checksum(header)) {
            throw RecordFile.damaged(file, 0, "its header is not one of ours");
        }
        byte[] text = new byte[in.getInt()];
        in.get(text);
        String foundIdentity = new String(text, StandardCharsets.UTF_8);
        if (!isOurs(foundIdentity)) {
            throw new StoreUnusableException(file + ": it belongs to " + foundIdentity + " (expected: " + seat
                    + "); configure another folder, or move this one aside");
        }
    }

    /** A chain goes on from one era to the next, so a file of an earlier era is part of it; one of a later is not. */
    private boolean isOurs(String identity) {
        for (int era = seat.era().value(); era >= Era.FIRST.value(); era--) {
            if (identity.equals(new SeatId(seat.cluster(), seat.seat(), new Era(era)).toString())) {
                return true;
            }
        }
        return false;
    }

    private static int checksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, SIZE - Integer.BYTES);
        return (int) crc.getValue();
    }
}
