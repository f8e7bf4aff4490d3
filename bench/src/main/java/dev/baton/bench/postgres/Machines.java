package dev.baton.bench.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.process.Ladder;
import dev.baton.process.Rung;
import dev.baton.process.Workload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Three machines, each with a real PostgreSQL and a process that looks after it, that can be killed, frozen and unplugged. Who
 * looks after it is what the kinds of machines differ in.
 */
abstract class Machines implements AutoCloseable {

    static final String PASSWORD = "measured";

    static final List<String> NAMES = List.of("n1", "n2", "n3");
    private static final Duration HTTP_PATIENCE = Duration.ofSeconds(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    final Path folder;
    final Cables cables = new Cables();
    final MachineCallers callers = new MachineCallers(this::processes);
    private final Duration patience;
    private final Map<String, Places> places = new LinkedHashMap<>();
    private final Map<String, Process> keepers = new ConcurrentHashMap<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(HTTP_PATIENCE).build();
    private final Thread lastResort = Thread.ofPlatform().unstarted(this::killAll);

    /**
     * @param patience how long somebody who looks after a server may take for what it is asked to do
     */
    Machines(Path folder, Duration patience) throws IOException {
        this.folder = folder.toRealPath();
        this.patience = patience;
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x")); // for the servers' user
        Set<Integer> taken = new HashSet<>();
        for (String name : NAMES) {
            places.put(name, Places.free(name, taken));
        }
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    // What the kinds differ in

    /** Starts whoever looks after the server of this machine. */
    abstract Process launch(String name) throws IOException;

    /** Where the server of this machine keeps its data. */
    abstract Path data(String name);

    /** Hands the primary to another machine; returns when that is done. */
    abstract void switchOver(String from, String to) throws IOException, InterruptedException;

    /** The primary, if all is well: two standbys stream, one of them has everything, and nobody is fenced. */
    abstract Optional<String> primaryIfCalm() throws InterruptedException;

    /** The standby that surely has every commit. */
    abstract Optional<String> completeStandby(String primary) throws InterruptedException;

    /** Whether it is slow until it has led once. */
    abstract boolean warmsUp();

    // What they share

    final Places at(String name) {
        return Objects.requireNonNull(places.get(name), name);
    }

    final Collection<Places> all() {
        return places.values();
    }

    final Path log(String name) {
        return folder.resolve(name + ".log");
    }

    private Map<String, List<Long>> processes() {
        Map<String, List<Long>> all = new LinkedHashMap<>();
        keepers.forEach((name, process) -> all.put(
                name,
                Stream.concat(Stream.of(process.toHandle()), process.descendants())
                        .map(ProcessHandle::pid)
                        .toList()));
        return all;
    }

    /** Starts what runs on a machine, as its operating system would at boot. */
    final void start(String name) throws IOException {
        keepers.put(name, launch(name));
    }

    private Workload server(String name) {
        return new Workload.InFolder(data(name));
    }

    /** Ends the server and whoever looks after it at once, without a word. */
    final void kill(String name) throws InterruptedException {
        Process keeper = Objects.requireNonNull(keepers.get(name), name);
        keeper.destroyForcibly();
        killServer(name);
        keeper.waitFor();
    }

    private void killServer(String name) {
        var unused = new Ladder(List.of(new Rung.Kill("kill", patience))).climb(server(name));
    }

    /** Stops every process of the server where it is: it keeps its port, and answers nothing. */
    final void freezeServer(String name) throws IOException, InterruptedException {
        signal("-STOP", name);
    }

    /** Lets those go on that are still there. */
    final void thawServer(String name) throws IOException, InterruptedException {
        signal("-CONT", name);
    }

    private void signal(String signal, String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        server(name).roots().forEach(pid -> command.add(pid.toString())); // first those that would start others
        server(name).processes().forEach(pid -> command.add(pid.toString()));
        // A process may end while it is looked for; the round shows whether the server still answers.
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    final void unplug(String name) {
        cables.unplug(name);
    }

    final void plugIn() {
        cables.plugIn();
    }

    /** Asks for something to be done; anything but 200 is a failure. */
    final void demand(int port, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .timeout(patience)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(path + " was answered with " + answer.statusCode() + ": " + answer.body());
        }
    }

    /** What a machine tells of its server and of the whole; nothing if it does not answer with yes. */
    final Optional<JsonNode> ask(String name, String path) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at(name).http() + path))
                            .timeout(HTTP_PATIENCE)
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            return answer.statusCode() == 200 ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The last lines of every log, for whoever must find out what went wrong. */
    final String lastWords() {
        StringBuilder words = new StringBuilder();
        for (String name : NAMES) {
            try {
                List<String> lines = Files.readAllLines(log(name));
                words.append("-- ")
                        .append(name)
                        .append(": ")
                        .append(explanation(name))
                        .append('\n');
                lines.subList(Math.max(0, lines.size() - 15), lines.size())
                        .forEach(line -> words.append(line).append('\n'));
            } catch (IOException e) {
                words.append(name).append(": no log\n");
            }
        }
        return words.toString();
    }

    /** Why a machine does or does not have the primary, in its own words. */
    String explanation(String name) {
        return "";
    }

    /** Ends what else was started. */
    void killAll() {
        keepers.values().forEach(Process::destroyForcibly);
        NAMES.forEach(this::killServer);
    }

    @Override
    public final void close() throws IOException, InterruptedException {
        cables.plugIn();
        killAll();
        for (Process keeper : keepers.values()) {
            keeper.waitFor();
        }
        cables.close();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }
}
