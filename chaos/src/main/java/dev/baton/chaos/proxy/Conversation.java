package dev.baton.chaos.proxy;

import dev.baton.chaos.proxy.Trouble.Silence;
import dev.baton.chaos.proxy.Wire.Direction;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One connection through a proxy: for each way one thread that reads and one that writes, later if need be. */
final class Conversation {

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int MOST_CHUNKS = 64;
    private static final long LOOK_MILLIS = 5;
    private static final long SHORTEST_STALL_MILLIS = 200;
    private static final long LONGEST_STALL_MILLIS = 1200;

    private final Wire wire;
    private final Socket caller;
    private final Socket called;
    private final Troubles troubles;
    private volatile boolean over;

    /** Bytes that may be passed on from then on; none at all stand for the end of the stream. */
    private static final class Chunk {
        private final long notBeforeNanos;
        private final byte[] bytes;

        Chunk(long notBeforeNanos, byte[] bytes) {
            this.notBeforeNanos = notBeforeNanos;
            this.bytes = bytes;
        }
    }

    Conversation(Wire wire, Socket caller, Socket called, Troubles troubles) {
        this.wire = wire;
        this.caller = caller;
        this.called = called;
        this.troubles = troubles;
    }

    /** Returns when both ways have ended. */
    void run() throws IOException {
        caller.setTcpNoDelay(true);
        called.setTcpNoDelay(true);
        Thread there = Thread.ofVirtual().start(() -> carry(caller, called, Direction.THERE));
        Thread back = Thread.ofVirtual().start(() -> carry(called, caller, Direction.BACK));
        try {
            there.join();
            back.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void carry(Socket from, Socket to, Direction direction) {
        BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(MOST_CHUNKS);
        Thread reader = Thread.ofVirtual().start(() -> read(from, direction, chunks));
        try {
            write(to, direction, chunks);
        } catch (IOException e) {
            reset();
        } catch (InterruptedException e) {
            reset();
            Thread.currentThread().interrupt();
        } finally {
            if (over) {
                reader.interrupt();
            }
        }
    }

    private void read(Socket from, Direction direction, BlockingQueue<Chunk> chunks) {
        byte[] buffer = new byte[CHUNK_BYTES];
        try {
            while (!over) {
                int count = from.getInputStream().read(buffer);
                byte[] bytes = count < 0 ? new byte[0] : Arrays.copyOf(buffer, count);
                chunks.put(new Chunk(notBeforeNanos(direction), bytes));
                if (count < 0) {
                    return;
                }
            }
        } catch (IOException e) {
            reset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long notBeforeNanos(Direction direction) {
        Trouble now = troubles.on(wire, direction);
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        long millis = now.delayMillis() + (now.jitterMillis() > 0 ? dice.nextLong(now.jitterMillis() + 1) : 0);
        if (now.stallPercent() > dice.nextInt(100)) {
            millis += dice.nextLong(SHORTEST_STALL_MILLIS, LONGEST_STALL_MILLIS);
        }
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void write(Socket to, Direction direction, BlockingQueue<Chunk> chunks)
            throws IOException, InterruptedException {
        OutputStream out = to.getOutputStream();
        long underTruncation = 0;
        while (!over) {
            Trouble now = troubles.on(wire, direction);
            if (now.reset()) {
                reset();
                return;
            }
            Chunk chunk = chunks.poll(LOOK_MILLIS * 10, TimeUnit.MILLISECONDS);
            if (chunk == null) {
                continue;
            }
            now = awaitPassage(direction, chunk);
            if (over) {
                return;
            }
            if (chunk.bytes.length == 0) {
                to.shutdownOutput();
                return;
            }
            if (now.resetPercent() > ThreadLocalRandom.current().nextInt(100)) {
                reset();
                return;
            }
            byte[] bytes = chunk.bytes;
            if (flipSome(bytes, now.flipOneInBytes())) {
                troubles.flipped(wire);
            }
            underTruncation = now.truncateAfterBytes() == 0 ? 0 : underTruncation + bytes.length;
            if (underTruncation > now.truncateAfterBytes()) {
                out.write(bytes, 0, (int) Math.max(0, bytes.length - (underTruncation - now.truncateAfterBytes())));
                out.flush();
                reset();
                return;
            }
            out.write(bytes);
            out.flush();
            if (now.bytesPerSecond() > 0) {
                TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(bytes.length) / now.bytesPerSecond());
            }
        }
    }

    /** Waits until the chunk may go, and tells under which trouble it goes. */
    private Trouble awaitPassage(Direction direction, Chunk chunk) throws InterruptedException {
        Silence worst = Silence.NONE;
        while (!over) {
            Trouble now = troubles.on(wire, direction);
            if (now.reset() || (worst == Silence.UNTIL_RESET && now.silence() == Silence.NONE)) {
                reset();
                return now;
            }
            if (now.silence().compareTo(worst) > 0) {
                worst = now.silence();
            }
            long waitNanos = chunk.notBeforeNanos - System.nanoTime();
            if (worst != Silence.FOR_EVER && now.silence() == Silence.NONE && waitNanos <= 0) {
                return now;
            }
            TimeUnit.NANOSECONDS.sleep(Math.clamp(
                    waitNanos, TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)));
        }
        return Trouble.NONE;
    }

    /** Changes one bit in so many bytes; whether it changed any. */
    private static boolean flipSome(byte[] bytes, long oneInBytes) {
        boolean any = false;
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        for (int i = 0; oneInBytes > 0 && i < bytes.length; i++) {
            if (dice.nextLong(oneInBytes) == 0) {
                bytes[i] ^= (byte) (1 << dice.nextInt(8));
                any = true;
            }
        }
        return any;
    }

    /** Ends it for both sides at once, without a farewell. */
    void reset() {
        over = true;
        close();
    }

    /** Puts both sockets away; what was written before still arrives unless it was reset. */
    void close() {
        boolean abruptly = over;
        over = true;
        close(caller, abruptly);
        close(called, abruptly);
    }

    private static void close(Socket socket, boolean abruptly) {
        try {
            if (abruptly && !socket.isClosed()) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        } catch (IOException e) {
            // Gone is gone.
        }
    }
}
