package dev.baton.bench.tokens;

import dev.baton.bench.load.LoadLines;
import dev.baton.bench.load.LoadReport;
import dev.baton.bench.load.LoadRequest;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process that asks as it is told to, and stays warm in between. */
final class Callers {

    private final String name;
    private final Process process;
    private final Path log;
    private final BufferedReader out;
    private final BufferedWriter in;

    private Callers(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** Returns at once; the first request waits until the process is ready. */
    static Callers start(Children children, String name, String classPath, String main, List<String> arguments)
            throws IOException {
        Path log = children.folder("callers").resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(JavaProgram.command(List.of("-Xms256m", "-Xmx1g"), main, arguments))
                .redirectError(log.toFile());
        builder.environment().putAll(Map.of("CLASSPATH", classPath));
        return new Callers(name, children.keep(builder.start()), log);
    }

    /** Blocks until the process can be asked. */
    Callers awaitReady() throws IOException {
        line(LoadLines.READY);
        return this;
    }

    /** Blocks for as long as the request says, and a little longer. */
    LoadReport ask(LoadRequest request) throws IOException {
        in.write(LoadLines.write(request));
        in.newLine();
        in.flush();
        return LoadLines.report(line("{"));
    }

    /** Libraries may say something of their own before. */
    private String line(String beginning) throws IOException {
        String line = out.readLine();
        while (line != null && !line.startsWith(beginning)) {
            line = out.readLine();
        }
        if (line == null) {
            throw new IllegalStateException(
                    "the callers of " + name + " ended (expected: an answer): " + Children.lastWords(log));
        }
        return line;
    }

    void end() throws InterruptedException {
        Children.end(process);
    }

    long pid() {
        return process.pid();
    }
}
