package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds a block by the first digits of its hash, or of the hash of a transaction in it, newest first.
 *
 * <p>There is no index: blocks are read one after the other, for a short time per request. Who asks goes on from where
 * the answer ends, so that nobody holds a node up however long its ledger is.
 */
final class BlockSearch {

    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{4,64}");
    private static final int AT_ONCE = 200;
    private static final long AT_ONCE_BYTES = 8 << 20;
    private static final Duration PER_REQUEST = Duration.ofMillis(200);

    private BlockSearch() {}

    static Answer find(Request request, Chain chain) throws IOException {
        String wanted = request.required("hash", "the first digits of a hash").toLowerCase(Locale.ROOT);
        if (!DIGITS.matcher(wanted).matches()) {
            throw new Request.BadRequestException("hash: " + wanted + " (expected: 4 to 64 hexadecimal digits)");
        }
        long tip = chain.height().value();
        long below = Math.min(tip + 1, request.number("below", 1, Long.MAX_VALUE, tip + 1));
        long endNanos = System.nanoTime() + PER_REQUEST.toNanos();
        do {
            long from = Math.max(1, below - AT_ONCE);
            Optional<Long> found = among(chain, from, below, wanted);
            if (found.isPresent()) {
                return Answer.json(200, fields("height", found.get(), "searchedDownTo", found.get(), "more", false));
            }
            below = from;
        } while (below > 1 && System.nanoTime() - endNanos < 0);
        return Answer.json(200, fields("height", null, "searchedDownTo", below, "more", below > 1));
    }

    /** The newest one from here to below there; large blocks come in several readings. */
    private static Optional<Long> among(Chain chain, long from, long below, String wanted) throws IOException {
        Optional<Long> newest = Optional.empty();
        long next = from;
        while (next < below) {
            List<StoredBlock> read = chain.range(new Height(next), (int) (below - next), AT_ONCE_BYTES);
            if (read.isEmpty()) {
                break; // older than what this node keeps
            }
            for (StoredBlock each : read) {
                if (has(each.block(), wanted)) {
                    newest = Optional.of(each.block().height().value());
                }
                next = each.block().height().value() + 1;
            }
        }
        return newest;
    }

    private static boolean has(Block block, String wanted) {
        return block.hash().toString().startsWith(wanted)
                || block.body().transactions().stream()
                        .anyMatch(transaction ->
                                Hash.sha256(transaction).toString().startsWith(wanted));
    }
}
