package dev.baton.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Whether a process is the node, or the server, it is said to be: process ids are reused, and a stranger must never be killed. */
public final class NodeProcess {

    private NodeProcess() {}

    /** The process, if it lives and its command line runs exactly this configuration. */
    public static Optional<ProcessHandle> find(long pid, Path config) {
        if (pid <= 0) {
            return Optional.empty();
        }
        String file = config.toAbsolutePath().normalize().toString();
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(process -> {
            List<String> words = commandLine(process);
            return words.contains("node") && words.contains(file);
        });
    }

    /** The process, if it lives and is the server that was started with this configuration file. */
    public static Optional<ProcessHandle> findServer(long pid, ServerKind kind, Path config) {
        if (pid <= 0) {
            return Optional.empty();
        }
        String file = config.toAbsolutePath().normalize().toString();
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(process -> {
            // A Redis writes its own title over its command line, as one word.
            String title = String.join(" ", commandLine(process));
            return title.contains(kind.command()) && title.contains(file);
        });
    }

    private static List<String> commandLine(ProcessHandle process) {
        try {
            // The JDK cuts long command lines off, /proc does not.
            return List.of(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .split("\0"));
        } catch (IOException e) {
            return process.info().arguments().map(List::of).orElse(List.of());
        }
    }
}
