package dev.baton.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a watchdog process watches and how it stops it, as a file: a line each, fields between tabs.
 *
 * <p>A file rather than arguments, because it outlives the node that wrote it and shows people what would happen.
 */
public record WatchFile(Workload workload, Ladder ladder) {

    public void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(
                switch (workload) {
                    case Workload.InFolder(Path folder) -> line("folder", folder.toString());
                    case Workload.Marked(String variable, String value) -> line("marked", variable, value);
                });
        for (Rung rung : ladder.rungs()) {
            String millis = Long.toString(rung.timeout().toMillis());
            lines.add(
                    switch (rung) {
                        case Rung.Signal(String name, String signal, Duration timeout) ->
                            line("signal", name, millis, signal);
                        case Rung.Kill(String name, Duration timeout) -> line("kill", name, millis);
                        case Rung.Command(String name, List<String> command, Duration timeout) -> {
                            List<String> fields = new ArrayList<>(List.of("command", name, millis));
                            fields.addAll(command);
                            yield line(fields.toArray(String[]::new));
                        }
                    });
        }
        Files.write(file, lines);
    }

    private static String line(String... fields) {
        for (String field : fields) {
            if (field.contains("\t") || field.contains("\n")) {
                throw new IllegalArgumentException(
                        "'" + field + "' (expected: neither tabs nor line ends in what stops a process)");
            }
        }
        return String.join("\t", fields);
    }

    public static WatchFile read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty()) {
            throw new IOException(file + ": empty (expected: what a node writes for its watchdog)");
        }
        String[] first = lines.getFirst().split("\t", -1);
        Workload workload = switch (first[0]) {
            case "folder" -> new Workload.InFolder(Path.of(first[1]));
            case "marked" -> new Workload.Marked(first[1], first[2]);
            default -> throw new IOException(file + ": " + first[0] + " (expected: folder or marked)");
        };
        List<Rung> rungs = new ArrayList<>();
        for (String text : lines.subList(1, lines.size())) {
            String[] fields = text.split("\t", -1);
            Duration timeout = Duration.ofMillis(Long.parseLong(fields[2]));
            rungs.add(
                    switch (fields[0]) {
                        case "signal" -> new Rung.Signal(fields[1], fields[3], timeout);
                        case "kill" -> new Rung.Kill(fields[1], timeout);
                        case "command" ->
                            new Rung.Command(fields[1], List.of(fields).subList(3, fields.length), timeout);
                        default ->
                            throw new IOException(file + ": " + fields[0] + " (expected: signal, kill or command)");
                    });
        }
        return new WatchFile(workload, new Ladder(rungs));
    }
}
