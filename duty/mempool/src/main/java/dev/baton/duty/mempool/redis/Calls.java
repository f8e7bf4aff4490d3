package dev.baton.duty.mempool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.WatcherTerm;
import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the keys and arguments that the scripts expect. */
final class Calls {

    private static final byte[] NOTHING = new byte[0];

    private final String prefix;
    private final MempoolLimits limits;
    private final @Nullable InstantSource clockOrNull;
    private final byte[][] state;
    private final byte[] events;
    private final byte[][] receiveKeys;

    /** @param clockOrNull what claims go by; this Redis' own clock if absent, which all nodes share */
    Calls(String prefix, MempoolLimits limits, @Nullable InstantSource clockOrNull) {
        this.prefix = prefix;
        this.limits = limits;
        this.clockOrNull = clockOrNull;
        this.state = new byte[][] {bytes(prefix + "state")};
        this.events = bytes(prefix + "events");
        this.receiveKeys = new byte[][] {state[0], bytes(prefix + "pending"), events, bytes(prefix + "conflicts")};
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    byte[][] state() {
        return state;
    }

    byte[] events() {
        return events;
    }

    byte[][] receiveKeys() {
        return receiveKeys;
    }

    byte[][] receive(List<Transaction> transactions, long nowMillis) {
        List<byte[]> all = new ArrayList<>();
        all.add(bytes(prefix));
        all.add(bytes(limits.maxPending()));
        all.add(bytes(limits.maxEvents()));
        for (Transaction transaction : transactions) {
            all.add(bytes(transaction.hash().toString()));
            all.add(new Envelope(transaction.payload(), nowMillis).encode());
            all.add(packed(transaction.conflictKeys()));
        }
        return all.toArray(byte[][]::new);
    }

    private static byte[] packed(List<Bytes> keys) {
        if (keys.isEmpty()) {
            return NOTHING;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Bytes key : keys) {
            out.write(key.size());
            out.writeBytes(key.toArray());
        }
        return out.toByteArray();
    }

    /** What every other script has in front. */
    private List<byte[]> common() {
        List<byte[]> all = new ArrayList<>();
        all.add(bytes(prefix));
        all.add(clockOrNull == null ? NOTHING : bytes(clockOrNull.millis()));
        all.add(bytes(limits.sliceSize()));
        all.add(bytes(limits.maxEvents()));
        return all;
    }

    byte[][] plain(byte[]... more) {
        List<byte[]> all = common();
        all.addAll(List.of(more));
        return all.toArray(byte[][]::new);
    }

    byte[][] page(long after, int limit) {
        return plain(bytes(after), bytes(limit));
    }

    byte[][] of(Hash hash) {
        return plain(bytes(hash.toString()));
    }

    byte[][] of(List<Hash> hashes, byte[]... before) {
        List<byte[]> all = common();
        all.addAll(List.of(before));
        hashes.forEach(hash -> all.add(bytes(hash.toString())));
        return all.toArray(byte[][]::new);
    }

    byte[][] watcher(WatcherTerm term, byte[]... more) {
        List<byte[]> all = common();
        all.add(bytes(term.seat().cluster().value()));
        all.add(bytes(term.seat().seat().value()));
        all.add(bytes(term.seat().era().value()));
        all.add(bytes(term.epoch().value()));
        all.add(bytes(limits.finalizeAfter()));
        all.add(bytes(limits.dropAfter()));
        all.add(bytes(limits.maxFinalized()));
        all.add(bytes(limits.maxRollback()));
        all.addAll(List.of(more));
        return all.toArray(byte[][]::new);
    }

    static byte[] joined(List<Hash> hashes) {
        StringBuilder all = new StringBuilder(hashes.size() * 2 * Hash.SIZE);
        hashes.forEach(all::append);
        return bytes(all.toString());
    }
}
