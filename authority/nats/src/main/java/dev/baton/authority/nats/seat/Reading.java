package dev.baton.authority.nats.seat;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One page of a ledger: its messages are asked for several at a time, as many as the sizes so far suggest. */
final class Reading {

    private static final int FIRST_PIECE = 8;
    private static final int LONGEST_PIECE = 32;

    private final SeatView view;
    private final Height from;
    private final PageLimit limit;
    private final Bound by;

    private final List<Entry> page = new ArrayList<>();
    private long bytes;

    Reading(SeatView view, Height from, PageLimit limit) {
        this.view = view;
        this.from = from;
        this.limit = limit;
        this.by = view.bound();
    }

    Page run() {
        Reply<Observation> reply = view.refresh(by);
        if (!(reply instanceof Reply.Got<Observation> got)) {
            return new Page.Unavailable(Reply.trouble(reply));
        }
        Sight sight = got.value().sight();
        SeatState state = sight.state();
        if (from.isBelow(state.oldest())) {
            return new Page.Trimmed(state.oldest());
        }
        if (from.isAbove(state.head().height())) {
            return new Page.Entries(List.of(), state.head());
        }
        Reply<SeatMessage> first = new Locating(view, by).find(from, sight);
        if (!(first instanceof Reply.Got<SeatMessage> found)) {
            return new Page.Unavailable(Reply.trouble(first));
        }
        boolean more = add(found.value());
        long next = found.value().sequence() + 1;
        int piece = FIRST_PIECE;
        while (more && next <= state.headAt()) {
            int count = (int) Math.min(piece, state.headAt() - next + 1);
            List<Reply<Optional<SeatLine.Stored>>> stored = fetch(next, count);
            for (int i = 0; more && i < count; i++) {
                more = stored.get(i) instanceof Reply.Got<Optional<SeatLine.Stored>> there && addStored(there.value());
            }
            next += count;
            piece = nextPiece();
        }
        return new Page.Entries(page, state.head());
    }

    private List<Reply<Optional<SeatLine.Stored>>> fetch(long first, int count) {
        List<CompletableFuture<Reply<Optional<SeatLine.Stored>>>> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long sequence = first + i;
            asked.add(view.line().servers().later(() -> view.line().at(sequence, by)));
        }
        return asked.stream().map(CompletableFuture::join).toList();
    }

    /** What has been read so far is true, if not all that there is: a hole ends the page, a stranger's message does not. */
    private boolean addStored(Optional<SeatLine.Stored> stored) {
        if (stored.isEmpty()) {
            return false;
        }
        Optional<SeatMessage> message = stored.get().message();
        return message.isEmpty() || message.get().kind() != SeatMessage.Kind.APPENDED || add(message.get());
    }

    /** Adds the entry if it fits; says whether the page may go on. */
    private boolean add(SeatMessage message) {
        Entry entry = message.entry(view.id());
        bytes += entry.payload().size();
        if (bytes > limit.bytes() && !page.isEmpty()) {
            return false;
        }
        page.add(entry);
        return page.size() < limit.entries() && bytes < limit.bytes();
    }

    private int nextPiece() {
        long average = Math.max(1, bytes / Math.max(1, page.size()));
        return (int) Math.clamp(
                Math.min((limit.bytes() - bytes) / average, limit.entries() - page.size()), 1L, LONGEST_PIECE);
    }
}
