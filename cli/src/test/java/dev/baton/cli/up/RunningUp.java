package dev.baton.cli.up;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** {@code ./baton} as a process, as a person would start it; what it prints goes to files. */
final class RunningUp implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path data;
    private final Process process;
    private final Path out;
    private final Path err;

    private RunningUp(Path data, Process process, Path out, Path err) {
        this.data = data;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code ./baton} with these arguments on a cluster in {@code data}. */
    static RunningUp start(Path data, String... arguments) throws IOException {
        Path out = Files.createTempFile(data.getParent(), "baton", ".out");
        Path err = Files.createTempFile(data.getParent(), "baton", ".err");
        List<String> command = new ArrayList<>();
        command.add(Path.of("..", "baton").toAbsolutePath().normalize().toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("--data", data.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        return new RunningUp(data, builder.start(), out, err);
    }

    /** Runs a command on the cluster to its end and returns what it answered. */
    static JsonNode ask(Path data, String... arguments) throws IOException, InterruptedException {
        List<String> withJson = new ArrayList<>(List.of(arguments));
        withJson.add("--json");
        RunningUp command = start(data, withJson.toArray(String[]::new));
        int code = command.exitCode();
        if (code != 0) {
            throw new IllegalStateException(withJson + " ended with " + code + ": " + command.errors());
        }
        return command.lines().getLast();
    }

    Process process() {
        return process;
    }

    /** Every complete line so far. */
    List<JsonNode> lines() throws IOException {
        String text = Files.readString(out);
        List<JsonNode> lines = new ArrayList<>();
        text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .forEach(line -> lines.add(Json.parse(line).orElseThrow()));
        return lines;
    }

    String errors() throws IOException {
        return Files.readString(err);
    }

    void awaitLine(Predicate<JsonNode> wanted) {
        await().atMost(PATIENCE).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("ended with " + process.exitValue() + ": " + errors());
            }
            return lines().stream().anyMatch(wanted);
        });
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException(process + " does not end");
        }
        return process.exitValue();
    }

    /** The processes of this machine that have to do with the folder. */
    static List<String> leftovers(Path data) {
        List<String> left = new ArrayList<>();
        ProcessHandle.allProcesses().filter(ProcessHandle::isAlive).forEach(process -> {
            try {
                String words = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                        .replace('\0', ' ');
                if (words.contains(data.toString())) {
                    left.add(process.pid() + ": " + words);
                }
            } catch (IOException e) {
                // it has just ended
            }
        });
        return left;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        await().atMost(PATIENCE).until(() -> leftovers(data).isEmpty());
    }
}
