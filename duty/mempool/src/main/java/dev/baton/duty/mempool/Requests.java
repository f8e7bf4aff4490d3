package dev.baton.duty.mempool;

import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What every implementation refuses before it does anything. */
public final class Requests {

    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    private Requests() {}

    public static void check(Transaction transaction, MempoolLimits limits) {
        int size = transaction.payload().size();
        if (size == 0 || size > limits.maxPayloadBytes()) {
            throw new InvalidRequestException("payload", size + " bytes", "1 to " + limits.maxPayloadBytes());
        }
        List<Bytes> keys = transaction.conflictKeys();
        if (keys.size() > MempoolLimits.MOST_CONFLICT_KEYS) {
            throw new InvalidRequestException(
                    "conflict keys", Integer.toString(keys.size()), "at most " + MempoolLimits.MOST_CONFLICT_KEYS);
        }
        Set<Bytes> different = new HashSet<>();
        for (Bytes key : keys) {
            if (key.isEmpty() || key.size() > MempoolLimits.LARGEST_CONFLICT_KEY) {
                throw new InvalidRequestException(
                        "conflict key", key.size() + " bytes", "1 to " + MempoolLimits.LARGEST_CONFLICT_KEY);
            }
            if (!different.add(key)) {
                throw new InvalidRequestException("conflict key", key.toHex() + " twice", "each once");
            }
        }
    }

    /** Numbers stay below 2^53, as everywhere. */
    public static void check(long cursor, int limit) {
        if (cursor < 0 || cursor > Epoch.MAX_VALUE) {
            throw new InvalidRequestException(
                    "cursor", Long.toString(cursor), "0 for the beginning, or the next of a page");
        }
        if (limit < 1 || limit > MempoolLimits.LARGEST_PAGE) {
            throw new InvalidRequestException("limit", Integer.toString(limit), "1 to " + MempoolLimits.LARGEST_PAGE);
        }
    }

    public static void check(String owner, Duration lease, List<Hash> hashes) {
        if (owner.isEmpty() || owner.length() > 200) {
            throw new InvalidRequestException("owner", "\"" + owner + "\"", "1 to 200 characters");
        }
        if (lease.toMillis() < 1 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new InvalidRequestException("lease", lease.toString(), "PT0.001S to " + LONGEST_LEASE);
        }
        check(hashes);
    }

    public static void check(List<Hash> hashes) {
        if (hashes.size() > MempoolLimits.LARGEST_PAGE) {
            throw new InvalidRequestException(
                    "hashes", Integer.toString(hashes.size()), "at most " + MempoolLimits.LARGEST_PAGE);
        }
    }
}
