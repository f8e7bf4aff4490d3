package dev.baton.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A watchdog process as the node that started it sees it. Thread-safe. */
public final class Watchdog implements AutoCloseable {

    private static final Duration START_PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final Writer words;
    private final CountDownLatch ready = new CountDownLatch(1);
    /** When each word was said that has not been answered; the oldest comes first. */
    private final Queue<Long> unanswered = new ConcurrentLinkedQueue<>();

    private Watchdog(Process process) {
        this.process = process;
        this.words = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("watchdog-" + process.pid()).start(this::listen);
    }

    /** Starts one, in a session of its own so that what is sent to the node's group does not reach it, and waits for it. */
    public static Watchdog start(WatchFile watched, Path file, Path log) throws IOException, InterruptedException {
        watched.write(file);
        List<String> command = List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                ownClasses(),
                WatchdogMain.class.getName(),
                file.toString());
        Watchdog watchdog = new Watchdog(new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
        if (!watchdog.ready.await(START_PATIENCE.toMillis(), TimeUnit.MILLISECONDS) || !watchdog.isAlive()) {
            watchdog.process.destroyForcibly();
            throw new IOException("the watchdog process did not start (expected: within " + START_PATIENCE
                    + "); what it said is in " + log);
        }
        return watchdog;
    }

    private static String ownClasses() throws IOException {
        try {
            return Path.of(WatchdogMain.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IOException("the watchdog's own classes cannot be found", e);
        }
    }

    private void listen() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String word = in.readLine(); word != null; word = in.readLine()) {
                if (word.equals(WatchdogMain.READY)) {
                    ready.countDown();
                } else {
                    unanswered.poll(); // answers come in the order of the words
                }
            }
        } catch (IOException e) {
            // It ended; isAlive tells.
        } finally {
            ready.countDown();
        }
    }

    /** The workload may run until then, on the machine's monotonic clock. */
    public void arm(long stopAtNanos) throws IOException {
        say(WatchdogMain.ARM + stopAtNanos);
    }

    /** Nothing runs that would have to be stopped. */
    public void rest() throws IOException {
        say(WatchdogMain.REST);
    }

    private synchronized void say(String word) throws IOException {
        unanswered.add(System.nanoTime());
        words.write(word + "\n");
        words.flush();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Why this watchdog cannot be relied on; nothing if it can. */
    public Optional<String> objection(Duration patience) {
        if (!process.isAlive()) {
            return Optional.of("the watchdog process has ended");
        }
        Long oldest = unanswered.peek();
        boolean silent = oldest != null && System.nanoTime() - oldest > patience.toNanos();
        return silent ? Optional.of("the watchdog process has not answered for " + patience) : Optional.empty();
    }

    /** Ends it; if the workload may still run, it is stopped first. */
    @Override
    public void close() {
        try {
            words.close();
        } catch (IOException e) {
            // It is gone already.
        }
    }
}
