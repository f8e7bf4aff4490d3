package dev.baton.duty.mempool;

import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.SeatId;
import java.util.ArrayList;
import java.util.List;

/** Transactions, blocks and terms for tests. */
public final class Samples {

    public static final SeatId SEAT = SeatId.of("test", "watcher");

    private Samples() {}

    public static Bytes payload(int number) {
        return Bytes.utf8("transaction " + number);
    }

    public static Hash hash(int number) {
        return Hash.sha256(payload(number));
    }

    public static Transaction transaction(int number, String... conflictKeys) {
        List<Bytes> keys = new ArrayList<>();
        for (String key : conflictKeys) {
            keys.add(Bytes.utf8(key));
        }
        return new Transaction(hash(number), payload(number), keys);
    }

    public static List<Hash> hashes(int... numbers) {
        List<Hash> all = new ArrayList<>();
        for (int number : numbers) {
            all.add(hash(number));
        }
        return all;
    }

    public static WatcherTerm term(long epoch) {
        return new WatcherTerm(SEAT, new Epoch(epoch));
    }

    public static WatcherTerm term(int era, long epoch) {
        return new WatcherTerm(new SeatId(SEAT.cluster(), SEAT.seat(), new Era(era)), new Epoch(epoch));
    }

    public static Point point(long number) {
        return point(number, "main");
    }

    public static Point point(long number, String fork) {
        return number == 0 ? Point.ORIGIN : new Point(number, Hash.sha256(Bytes.utf8(fork + " " + number)));
    }

    /** Block {@code number} on top of the one before it. */
    public static ChainBlock block(long number, int... seen) {
        return new ChainBlock(point(number), point(number - 1), hashes(seen));
    }
}
