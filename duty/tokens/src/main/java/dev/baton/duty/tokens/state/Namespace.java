package dev.baton.duty.tokens.state;

import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.duty.tokens.NamespaceHistory;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.Stretch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One namespace as the ledger has left it. Not thread-safe. */
final class Namespace {

    /** What is remembered of where tokens went, a stretch a term. */
    static final int STRETCHES = 64;

    /**
     * What one term covered, counted by index.
     *
     * @param gapFrom from here to {@code end}, tokens may never have been handed out
     */
    record Span(Epoch epoch, long revision, long first, long end, Height from, Height to, long gapFrom) {}

    private final Shape shape;
    private final Deque<Span> spans = new ArrayDeque<>();
    private long reserved;
    private boolean frozen;

    Namespace(Shape shape) {
        this.shape = shape;
    }

    Shape shape() {
        return shape;
    }

    /** How many tokens are covered, which is also the index of the next one. */
    long reserved() {
        return reserved;
    }

    long left() {
        return shape.capacity() - reserved;
    }

    boolean isFrozen() {
        return frozen;
    }

    void freeze(boolean on) {
        frozen = on;
    }

    /** The spans that are remembered, oldest first. */
    Iterable<Span> spans() {
        return spans;
    }

    int spanCount() {
        return spans.size();
    }

    /** Covers the next tokens; {@code unhanded} of those that the term covered last may be gaps, counting these. */
    void cover(long count, long unhanded, Epoch epoch, long revision, Height height) {
        long end = reserved + count;
        Span last = spans.peekLast();
        if (last != null && last.epoch().equals(epoch)) {
            spans.removeLast();
            spans.addLast(new Span(
                    epoch,
                    last.revision(),
                    last.first(),
                    end,
                    last.from(),
                    height,
                    Math.max(last.first(), end - unhanded)));
        } else {
            spans.addLast(new Span(epoch, revision, reserved, end, height, height, Math.max(reserved, end - unhanded)));
            if (spans.size() > STRETCHES) {
                spans.removeFirst();
            }
        }
        reserved = end;
    }

    /** Puts back what a checkpoint says. */
    void restore(long reservedTokens, boolean isFrozen, Iterable<Span> remembered) {
        reserved = reservedTokens;
        frozen = isFrozen;
        remembered.forEach(spans::addLast);
    }

    NamespaceView view() {
        return new NamespaceView(
                shape.name(),
                shape.guarantee(),
                shape.start(),
                shape.step(),
                shape.ceiling(),
                shape.maxCount(),
                frozen,
                left() == 0 ? OptionalLong.empty() : OptionalLong.of(shape.token(reserved)),
                reserved,
                shape.created(),
                shape.shards() == 0 ? OptionalInt.empty() : OptionalInt.of(shape.shards()));
    }

    NamespaceHistory history() {
        @Nullable Span oldest = spans.peekFirst();
        return new NamespaceHistory(
                shape.name(),
                spans.stream().map(this::stretch).toList(),
                oldest == null ? shape.start() : shape.token(oldest.first()));
    }

    private Stretch stretch(Span span) {
        long end = shape.token(span.end() - 1) + 1;
        return new Stretch(
                span.epoch(),
                span.revision(),
                shape.token(span.first()),
                end,
                span.from(),
                span.to(),
                span.gapFrom() == span.end() ? end : shape.token(span.gapFrom()));
    }
}
