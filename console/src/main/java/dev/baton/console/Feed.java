package dev.baton.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Shows pictures of a source to any number of onlookers, as server-sent events.
 *
 * <p>One thread looks, at most every {@link #SPACING}, and only while somebody listens. Everybody gets the same bytes.
 * Who reads slowly skips pictures, so a hundred pages cost a leader one look and a hundred writes, and no memory. The more
 * look, the longer is waited for the next picture, so that what they cost a second stays the same from fifty on.
 */
public final class Feed implements AutoCloseable {

    /** Not oftener than this, whatever happens. */
    static final Duration SPACING = Duration.ofMillis(50);

    /** So long for each who looks, within {@link #SPACING} and {@link #WIDEST_SPACING}. */
    private static final Duration SPACING_EACH = Duration.ofMillis(1);

    static final Duration WIDEST_SPACING = Duration.ofMillis(200);

    /** Looks this often without being told to. */
    static final Duration LOOK = Duration.ofMillis(100);

    /** Ages and countdowns are sent this often if nothing else is new. */
    static final Duration REFRESH = Duration.ofSeconds(1);

    /** An onlooker hears something at least this often, and a writer finds out that its reader has left. */
    static final Duration HEARTBEAT = Duration.ofSeconds(3);

    /** What is looked at. */
    public interface Source {

        /**
         * Somebody looks, after nobody did.
         *
         * @param changed asks for a picture at once; may be called by any thread, never blocks
         */
        Watch watch(Runnable changed);

        /** The newest picture. Called by one thread at a time; should not take long. */
        Picture look() throws InterruptedException;
    }

    /** Ends when nobody looks any more. */
    @FunctionalInterface
    public interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** A picture and its place in the row. */
    private static final class Shown {

        private final long number;
        private final @Nullable Picture picture;
        private long writtenAbove = -1;
        private byte[] written = new byte[0];

        Shown(long number, @Nullable Picture picture) {
            this.number = number;
            this.picture = picture;
        }

        long number() {
            return number;
        }

        @Nullable
        Picture picture() {
            return picture;
        }

        /** Readers that keep up have all seen the same blocks, so the bytes are made once for all of them. */
        synchronized byte[] above(Picture shownPicture, long height) {
            if (writtenAbove != height) {
                written = event(shownPicture, height);
                writtenAbove = height;
            }
            return written;
        }
    }

    private final Source source;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Condition wake = lock.newCondition();
    private Shown shown = new Shown(0, null);
    private int listeners;
    private boolean changed;
    private boolean closed;
    private int failures;
    private @Nullable Thread looker;

    public Feed(Source source) {
        this.source = source;
    }

    /** How many look now. */
    public int listeners() {
        lock.lock();
        try {
            return listeners;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes events until the reader leaves, the thread is interrupted, the source fails, or the feed is closed. A page
     * comes back by itself after a moment.
     *
     * @param seenHeight blocks up to this one are known to the reader; if there are not so many, it saw another ledger,
     *     behind the same address, and knows nothing of this one
     */
    public void stream(OutputStream out, long seenHeight) throws IOException, InterruptedException {
        int failuresBefore = enter();
        try {
            out.write("retry: 500\n\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            long number = 0;
            long height = seenHeight;
            while (!isOver(failuresBefore)) {
                Shown next = await(number);
                @Nullable Picture picture = next.picture();
                if (next.number() == number || picture == null) {
                    out.write(": still here\n\n".getBytes(StandardCharsets.US_ASCII));
                } else {
                    height = picture.blocks().isEmpty() || height <= picture.top() ? height : 0;
                    out.write(next.above(picture, height));
                    number = next.number();
                    height = Math.max(height, picture.top());
                }
                out.flush();
            }
        } finally {
            leave();
        }
    }

    private static byte[] event(Picture picture, long above) {
        StringBuilder event = new StringBuilder(256 + picture.state().size());
        event.append("id: ").append(Math.max(above, picture.top())).append("\nevent: picture\ndata: {\"state\":");
        event.append(picture.state().toUtf8()).append(",\"blocks\":[");
        String separator = "";
        for (Picture.Block block : picture.blocks()) {
            if (block.height() > above) {
                event.append(separator).append(block.json().toUtf8());
                separator = ",";
            }
        }
        event.append("]}\n\n");
        return event.toString().getBytes(StandardCharsets.UTF_8);
    }

    private int enter() {
        lock.lock();
        try {
            listeners++;
            if (looker == null && !closed) {
                looker = Thread.ofVirtual().name("console-looker").start(this::lookOnAndOn);
            }
            return failures;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            listeners--;
            wake.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(int failuresBefore) {
        lock.lock();
        try {
            return closed || failures > failuresBefore;
        } finally {
            lock.unlock();
        }
    }

    private Shown await(long number) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = HEARTBEAT.toNanos();
            int failuresBefore = failures;
            while ((shown.number() == number || shown.picture() == null)
                    && leftNanos > 0
                    && !closed
                    && failures == failuresBefore) {
                leftNanos = news.awaitNanos(leftNanos);
            }
            return shown;
        } finally {
            lock.unlock();
        }
    }

    private void lookOnAndOn() {
        boolean failed = true;
        try (Watch watch = source.watch(this::changed)) {
            long publishedNanos = System.nanoTime() - REFRESH.toNanos();
            String essence = "";
            while (goesOn()) {
                Picture picture = source.look();
                long nowNanos = System.nanoTime();
                if (!picture.essence().equals(essence) || nowNanos - publishedNanos >= REFRESH.toNanos()) {
                    publish(picture);
                    essence = picture.essence();
                    publishedNanos = nowNanos;
                }
                pause(nowNanos);
            }
            failed = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lookedEnough(failed);
        }
    }

    private boolean goesOn() {
        lock.lock();
        try {
            return listeners > 0 && !closed;
        } finally {
            lock.unlock();
        }
    }

    private void publish(Picture picture) {
        lock.lock();
        try {
            shown = new Shown(shown.number() + 1, picture);
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void changed() {
        lock.lock();
        try {
            changed = true;
            wake.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void pause(long lookedNanos) throws InterruptedException {
        lock.lock();
        try {
            long spentNanos = System.nanoTime() - lookedNanos;
            while (listeners > 0 && !closed && spentNanos < pauseNanos()) {
                var unused = wake.awaitNanos(pauseNanos() - spentNanos);
                spentNanos = System.nanoTime() - lookedNanos;
            }
            changed = false;
        } finally {
            lock.unlock();
        }
    }

    private long pauseNanos() {
        long spacingNanos =
                Math.clamp(SPACING_EACH.multipliedBy(listeners).toNanos(), SPACING.toNanos(), WIDEST_SPACING.toNanos());
        return changed ? spacingNanos : Math.max(spacingNanos, LOOK.toNanos());
    }

    /** Old pictures are forgotten: who comes later must not be shown yesterday. Somebody may have come meanwhile. */
    private void lookedEnough(boolean failed) {
        lock.lock();
        try {
            shown = new Shown(shown.number() + 1, null);
            looker = null;
            if (failed) {
                failures++;
                news.signalAll();
            } else if (listeners > 0 && !closed) {
                looker = Thread.ofVirtual().name("console-looker").start(this::lookOnAndOn);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
            wake.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
