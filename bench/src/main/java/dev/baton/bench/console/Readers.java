package dev.baton.bench.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Open pages without a browser: each reads a node's events as they come, and the first also looks at the clock. */
final class Readers implements AutoCloseable {

    private static final String DATA = "data: ";
    private static final int BUFFER = 16 << 10;
    private static final long PATIENCE_SECONDS = 30;
    private static final Pattern BLOCK_TIME = Pattern.compile("\"timeMillis\":(\\d+)");
    /** In the older version of HTTP, in which an answer comes in one piece rather than in chunks. */
    private static final byte[] QUESTION = String.join(
                    "\r\n", "GET /console/events HTTP/1.0", "Host: 127.0.0.1", "Accept: text/event-stream", "", "")
            .getBytes(StandardCharsets.US_ASCII);

    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicLong bytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Double> lags = new ConcurrentLinkedQueue<>();
    private final CountDownLatch reading;

    private Readers(int count) {
        this.reading = new CountDownLatch(count);
    }

    /** Blocks until every one of them has read something. */
    static Readers open(int port, int count) throws IOException, InterruptedException {
        Readers readers = new Readers(count);
        try {
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                readers.sockets.add(socket);
                socket.getOutputStream().write(QUESTION);
                boolean first = i == 0;
                Thread.ofVirtual().name("reader-" + i).start(() -> readers.read(socket, first));
            }
            if (!readers.reading.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        readers.reading.getCount() + " of " + count + " readers get nothing (expected: events)");
            }
            return readers;
        } catch (IOException | InterruptedException | RuntimeException e) {
            readers.close();
            throw e;
        }
    }

    private void read(Socket socket, boolean looksAtTheClock) {
        try (InputStream in = socket.getInputStream()) {
            if (looksAtTheClock) {
                readLines(in);
            } else {
                byte[] buffer = new byte[BUFFER];
                boolean told = false;
                for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
                    bytes.addAndGet(got);
                    if (!told) {
                        told = true;
                        reading.countDown();
                    }
                }
            }
        } catch (IOException e) {
            // Closed by us, or the node is gone, which the run finds out by itself.
            return;
        }
    }

    /** How long after a block was made the news of it arrived; those in the first picture are history. */
    private void readLines(InputStream in) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        boolean first = true;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            bytes.addAndGet(line.length() + 1);
            if (!line.startsWith(DATA)) {
                continue;
            }
            long now = System.currentTimeMillis();
            int blocks = line.lastIndexOf("\"blocks\":[");
            Matcher made = BLOCK_TIME.matcher(line).region(Math.max(0, blocks), line.length());
            while (!first && made.find()) {
                lags.add((double) (now - Long.parseLong(made.group(1))));
            }
            first = false;
            reading.countDown();
        }
    }

    long bytes() {
        return bytes.get();
    }

    /** In milliseconds, shortest first. */
    List<Double> lags() {
        return lags.stream().sorted().toList();
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use any more either way.
            }
        }
    }
}
