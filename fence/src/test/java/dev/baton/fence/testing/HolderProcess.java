package dev.baton.fence.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A holder of a seat in a JVM of its own, which can be paused as the system pauses processes. */
public final class HolderProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter orders;

    private HolderProcess(Process process) {
        this.process = process;
        this.answers = process.inputReader(UTF_8);
        this.orders = process.outputWriter(UTF_8);
    }

    /** Starts the main class, which reads orders from its input and answers each with a line. */
    public static HolderProcess start(Class<?> holder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                holder.getName()));
        command.addAll(List.of(arguments));
        HolderProcess started = new HolderProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        started.answer();
        return started;
    }

    /** Gives an order and waits for what comes of it. */
    public String ask(String order) throws IOException {
        order(order);
        return answer();
    }

    public void order(String order) throws IOException {
        orders.write(order);
        orders.newLine();
        orders.flush();
    }

    public String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(Orders.ANSWER)) {
                return line.substring(Orders.ANSWER.length());
            }
        }
        throw new IOException("the holder ended (expected: an answer; its errors are in the test's output)");
    }

    /** Nothing of it runs any more when this returns. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> state() == 'T');
    }

    public void wake() throws IOException, InterruptedException {
        signal("CONT");
    }

    private char state() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " " + process.pid() + " answered " + code);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }
}
