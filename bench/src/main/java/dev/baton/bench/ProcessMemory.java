package dev.baton.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a process takes of memory, and a Java process of its heap. */
public final class ProcessMemory {

    private static final Pattern USED = Pattern.compile("total\\s+\\d+K, used\\s+(\\d+)K");
    private static final double KB_A_MB = 1024;

    private ProcessMemory() {}

    /** What the operating system has given it. A Java process keeps what it got, so this also grows without a leak. */
    public static double residentMegabytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / KB_A_MB;
            }
        }
        throw new IllegalStateException("process " + pid + " shows no VmRSS (expected: it runs)");
    }

    /** What is left on its heap after a full collection. Disturbs it: not while others measure. */
    public static double heapMegabytesAfterCollection(long pid) throws IOException, InterruptedException {
        ask(pid, "GC.run");
        Matcher used = USED.matcher(ask(pid, "GC.heap_info"));
        double kilobytes = 0;
        while (used.find()) {
            kilobytes += Double.parseDouble(used.group(1));
        }
        return kilobytes / KB_A_MB;
    }

    private static String ask(long pid, String command) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process = new ProcessBuilder(jcmd, Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return answer;
    }
}
