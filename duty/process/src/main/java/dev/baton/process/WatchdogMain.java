package dev.baton.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The watchdog process: stops a workload when the node that should do it hangs, is frozen or is gone.
 *
 * <p>INV-23: the node tells it, over a pipe, until when the workload may run. The times are those of the machine's
 * monotonic clock, which all its processes share, so a word that was long under way extends nothing. When the time is
 * up, or the pipe ends while the workload may run, it climbs the ladder until the workload is proven to be down.
 *
 * <p>It uses nothing but the JDK: it must start quickly and need little.
 */
public final class WatchdogMain {

    static final String READY = "ready";
    static final String ARM = "arm ";
    static final String REST = "rest";

    private static final String GONE = "";
    private static final long AGAIN_MILLIS = 500;

    private final WatchFile file;
    private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
    private @Nullable Long stopAtNanos;

    private WatchdogMain(WatchFile file) {
        this.file = file;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 1) {
            System.err.println("usage: baton watchdog FILE (a node writes the file and starts this itself)");
            System.exit(2);
        }
        System.exit(run(Path.of(arguments[0])));
    }

    /** Watches until the node leaves in order, or the workload of one that did not is down. */
    public static int run(Path file) throws IOException, InterruptedException {
        WatchdogMain watchdog = new WatchdogMain(WatchFile.read(file));
        Thread.ofPlatform().daemon().name("words").start(watchdog::listen);
        say(READY);
        watchdog.watch();
        return 0;
    }

    private void listen() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String word = in.readLine(); word != null; word = in.readLine()) {
                words.add(word);
            }
        } catch (IOException e) {
            log("the pipe broke: " + e);
        } finally {
            words.add(GONE);
        }
    }

    private void watch() throws InterruptedException {
        boolean present = true;
        while (present) {
            Long until = stopAtNanos;
            String word = until == null ? words.take() : words.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (word == null) {
                stop("the node did not prove in time that it still may");
            } else if (word.equals(GONE)) {
                present = false;
                if (stopAtNanos != null) {
                    stop("the node is gone");
                }
            } else {
                heard(word);
            }
        }
    }

    private void heard(String word) {
        if (word.startsWith(ARM)) {
            stopAtNanos = Long.parseLong(word.substring(ARM.length()));
        } else if (word.equals(REST)) {
            stopAtNanos = null;
        } else {
            log("not understood: " + word);
        }
        say(word); // the node hears that it was heard
    }

    /** Does not give up: whatever still runs acts under a term that is over. */
    private void stop(String why) throws InterruptedException {
        stopAtNanos = null;
        log("stopping " + file.workload() + ": " + why);
        Climb climb = file.ladder().climb(file.workload());
        while (climb instanceof Climb.Failed(String left, var took)) {
            log("STILL RUNNING after " + took.toMillis() + " ms: " + left + "; trying again");
            TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
            climb = file.ladder().climb(file.workload());
        }
        log("down: " + climb);
    }

    private static void say(String word) {
        System.out.println(word);
        System.out.flush();
    }

    private static void log(String text) {
        System.err.println(Instant.now() + " watchdog: " + text);
    }
}
