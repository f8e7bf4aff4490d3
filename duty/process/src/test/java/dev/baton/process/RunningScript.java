package dev.baton.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A shell script of a test, as a process in a session of its own; waits until it says that it is up. */
public final class RunningScript implements AutoCloseable {

    private final Process process;

    private RunningScript(Process process) {
        this.process = process;
    }

    /**
     * Starts the script, which must print a line once it is as the test needs it.
     *
     * <p>A shell cannot trap what it was born to ignore, and whatever a script starts in the background is born to ignore
     * SIGINT and SIGQUIT: the tests too, if somebody starts them so.
     */
    public static RunningScript start(Path folder, Map<String, String> environment, String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "env", "--default-signal=INT,QUIT", "bash", "-c", script)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        Process process = builder.start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        if (out.readLine() == null) {
            throw new IOException("the script ended before it was up");
        }
        return new RunningScript(process);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
