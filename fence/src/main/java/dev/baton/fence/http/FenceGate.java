package dev.baton.fence.http;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import dev.baton.fence.FenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests in by their fence; knows no web framework, so that any filter can call it.
 *
 * <p>Requests of one term pass side by side. The first one of a later term waits until those under way have been
 * handled, then raises the fence; so no request of an earlier term is still writing when it begins. Whoever waits longer
 * than the gate's patience is told to come again.
 *
 * <pre>{@code
 * switch (gate.enter(request.getHeader(FenceHeader.NAME))) {
 *     case Passage.Open open -> { try (open) { handle(request); } }
 *     case Passage.Refused refused -> respond(refused.status(), refused.body());
 * }
 * }</pre>
 *
 * <p>Thread-safe. One gate stands before one resource, in one process.
 */
public final class FenceGate {

    private static final int NO_SUCH_FENCE = 400;
    private static final int OTHER_SEAT = 409;
    private static final int STALE = 412;
    private static final int NO_FENCE = 428;
    private static final int NOT_NOW = 503;

    private final FenceStore store;
    private final Duration patience;

    /** Held for reading while a request is handled, for writing while the fence is raised; by no thread in particular. */
    private final StampedLock underWay = new StampedLock();

    /** Held by the one request that raises the fence, until it has: others of its term then pass beside it. */
    private final ReentrantLock raising = new ReentrantLock();

    /** Read and written under the lock of those under way. */
    private Optional<Fence> highest;

    public FenceGate(FenceStore store, Duration patience) throws IOException {
        this.store = store;
        this.patience = patience;
        this.highest = store.load();
    }

    /** Blocks while requests of an earlier term are being handled. */
    public Passage enter(@Nullable String header) throws InterruptedException {
        if (header == null) {
            return refused(
                    NO_FENCE,
                    "NO_FENCE",
                    FenceHeader.NAME + ": missing (expected: cluster/seat/era/epoch of whoever writes)",
                    null);
        }
        Fence shown;
        try {
            shown = FenceHeader.parse(header);
        } catch (IllegalArgumentException e) {
            return refused(NO_SUCH_FENCE, "NO_SUCH_FENCE", String.valueOf(e.getMessage()), null);
        }
        try {
            return enter(shown);
        } catch (IOException e) {
            return refused(NOT_NOW, "STORE_FAILED", "the highest fence cannot be kept: " + e.getMessage(), null);
        }
    }

    private Passage enter(Fence shown) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        @Nullable Passage passage = enterUnlessRaised(shown, deadlineNanos);
        if (passage != null) {
            return passage;
        }
        if (!raising.tryLock(left(deadlineNanos), TimeUnit.NANOSECONDS)) {
            return late();
        }
        try {
            // Another one of the same term, or of a later one, may have been first.
            passage = enterUnlessRaised(shown, deadlineNanos);
            return passage != null ? passage : raise(shown, left(deadlineNanos));
        } finally {
            raising.unlock();
        }
    }

    private static long left(long deadlineNanos) {
        return Math.max(0, deadlineNanos - System.nanoTime());
    }

    /** Nothing if the fence must be raised first. */
    private @Nullable Passage enterUnlessRaised(Fence shown, long deadlineNanos) throws InterruptedException {
        long reading = underWay.tryReadLock(left(deadlineNanos), TimeUnit.NANOSECONDS);
        if (reading == 0) {
            return late();
        }
        if (highest.equals(Optional.of(shown))) {
            return open(shown, reading);
        }
        Admission admission = shown.against(highest);
        underWay.unlockRead(reading);
        return admission instanceof Admission.Refused refused ? told(refused) : null;
    }

    /** By whoever has {@link #raising}; so nobody else raises in between. */
    private Passage raise(Fence shown, long patienceNanos) throws IOException, InterruptedException {
        long writing = underWay.tryWriteLock(patienceNanos, TimeUnit.NANOSECONDS);
        if (writing == 0) {
            return late();
        }
        boolean raised = false;
        try {
            store.save(shown);
            highest = Optional.of(shown);
            raised = true;
        } finally {
            if (!raised) {
                underWay.unlockWrite(writing);
            }
        }
        return open(shown, underWay.tryConvertToReadLock(writing));
    }

    private Passage open(Fence shown, long reading) {
        return new Passage.Open(shown, () -> underWay.unlockRead(reading));
    }

    private Passage late() {
        return refused(
                NOT_NOW,
                "BUSY",
                "requests of an earlier term have been under way for " + patience + " (expected: handled by then; try"
                        + " again)",
                null);
    }

    private static Passage told(Admission.Refused refused) {
        return switch (refused) {
            case Admission.Stale stale -> refused(STALE, "STALE", stale.reason(), stale.stored());
            case Admission.OtherSeat other -> refused(OTHER_SEAT, "OTHER_SEAT", other.reason(), other.stored());
        };
    }

    private static Passage refused(int status, String code, String error, @Nullable Fence stored) {
        return new Passage.Refused(
                status,
                "{\"code\":\"" + code + "\",\"error\":\"" + escaped(error) + "\""
                        + (stored == null ? "" : ",\"stored\":\"" + stored + "\"") + "}\n");
    }

    /** Just what a JSON text needs; a header can carry anything. */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.chars()
                .forEach(c -> out.append(
                        switch (c) {
                            case '"' -> "\\\"";
                            case '\\' -> "\\\\";
                            default -> c < ' ' ? String.format("\\u%04x", c) : String.valueOf((char) c);
                        }));
        return out.toString();
    }
}
