package dev.baton.bench.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/**
 * How a benchmark speaks to its processes of callers: a request a line, a report a line, until the input ends. So one
 * process stays warm while the arms take turns, and ends when whoever started it is gone.
 */
public final class LoadLines {

    /** What a process says when it is ready for the first request. */
    public static final String READY = "READY";

    private static final ObjectMapper JSON = new ObjectMapper();

    private LoadLines() {}

    /** The calls of one arm. */
    @FunctionalInterface
    public interface Arms {
        IntFunction<AsyncCall> arm(String name) throws Exception;
    }

    /** Serves requests until the input ends. */
    public static void serve(InputStream in, PrintStream out, Arms arms) throws Exception {
        out.println(READY);
        out.flush();
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            LoadRequest request = JSON.readValue(line, LoadRequest.class);
            IntFunction<AsyncCall> calls = arms.arm(request.arm());
            LoadReport report =
                    request.ratePerSecond() > 0 ? OpenLoop.run(request, calls) : ClosedLoop.run(request, calls);
            out.println(write(report));
            out.flush();
        }
    }

    public static String write(Record message) {
        try {
            return JSON.writeValueAsString(message);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of plain values is JSON", e);
        }
    }

    public static LoadReport report(String line) throws IOException {
        return JSON.readValue(line, LoadReport.class);
    }
}
