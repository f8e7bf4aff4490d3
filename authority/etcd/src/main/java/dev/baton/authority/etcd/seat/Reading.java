package dev.baton.authority.etcd.seat;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.etcd.wire.Bound;
import dev.baton.authority.etcd.wire.Reply;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One page of a ledger, read piece by piece: etcd limits a range by keys and not by bytes, so each piece is only as
 * long as the one before suggests.
 */
final class Reading {

    private static final int FIRST_PIECE = 8;

    /** Even if all of these turn out to be as large as etcd allows, the answer fits into a message. */
    private static final int LONGEST_PIECE = 64;

    private final SeatId seat;
    private final SeatLine line;
    private final Height from;
    private final PageLimit limit;
    private final Bound by;

    private final List<Entry> page = new ArrayList<>();
    private long bytes;
    private @Nullable Head head;

    Reading(SeatId seat, SeatLine line, Height from, PageLimit limit) {
        this.seat = seat;
        this.line = line;
        this.from = from;
        this.limit = limit;
        this.by = line.bound();
    }

    CompletableFuture<Page> run() {
        return piece(FIRST_PIECE);
    }

    private CompletableFuture<Page> piece(int count) {
        Height next = page.isEmpty() ? from : page.getLast().height().next();
        int asked = Math.min(count, limit.entries() - page.size());
        return line.commit(line.transactions().read(next, asked), by).thenCompose(reply -> switch (reply) {
            case Reply.Got<TxnResponse> got -> {
                SeatState now = line.state(got.value(), 0);
                if (page.isEmpty() && from.isBelow(now.oldest())) {
                    yield done(new Page.Trimmed(now.oldest()));
                }
                head = now.head();
                boolean more =
                        add(next, got.value().getResponses(1).getResponseRange().getKvsList(), asked);
                yield more ? piece(nextPiece()) : done(new Page.Entries(page, now.head()));
            }
            default -> done(brokenOff(Reply.trouble(reply)));
        });
    }

    /** What has been read so far is true, if not all that there is. */
    private Page brokenOff(String why) {
        return head == null || page.isEmpty() ? new Page.Unavailable(why) : new Page.Entries(page, head);
    }

    /** Adds what fits; says whether the page may go on. */
    private boolean add(Height first, List<KeyValue> piece, int asked) {
        Height expected = first;
        for (KeyValue stored : piece) {
            Entry entry = EntryCodec.decode(seat, stored.getValue().asReadOnlyByteBuffer());
            if (!entry.height().equals(expected)) {
                return false; // trimmed while we read
            }
            bytes += entry.payload().size();
            if (bytes > limit.bytes() && !page.isEmpty()) {
                return false;
            }
            page.add(entry);
            expected = expected.next();
        }
        return piece.size() == asked && page.size() < limit.entries() && bytes < limit.bytes();
    }

    private int nextPiece() {
        long average = Math.max(1, bytes / page.size());
        return Math.clamp((limit.bytes() - bytes) / average, 1, LONGEST_PIECE);
    }

    private static CompletableFuture<Page> done(Page outcome) {
        return CompletableFuture.completedFuture(outcome);
    }
}
