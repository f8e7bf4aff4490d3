package dev.baton.chaos.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes that work in a folder: what a node has started, and what may outlive it for a while. */
final class Inhabitants {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LOOK_MILLIS = 100;

    private Inhabitants() {}

    /** Those whose working directory is the folder or lies below it. */
    static List<Long> of(Path folder) {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    if (Files.readSymbolicLink(process.resolve("cwd")).startsWith(folder)) {
                        found.add(Long.parseLong(String.valueOf(process.getFileName())));
                    }
                } catch (IOException e) {
                    // It has gone meanwhile.
                }
            }
        } catch (IOException e) {
            // No such list on this machine.
        }
        return found;
    }

    /**
     * Kills those that were told of the folder when they were started, until none is left or that took too long: whoever
     * removes the folder will see. A standby outlives its node by design, and nobody else is there to stop it. Whoever just
     * looks around in the folder is left alone.
     */
    static void end(Path folder) {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        try {
            for (List<ProcessHandle> left = toldOf(folder); !left.isEmpty(); left = toldOf(folder)) {
                left.forEach(ProcessHandle::destroyForcibly);
                if (System.nanoTime() - deadlineNanos > 0) {
                    return;
                }
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<ProcessHandle> toldOf(Path folder) {
        return of(folder).stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .filter(each -> each.info().commandLine().orElse("").contains(folder.toString()))
                .toList();
    }
}
