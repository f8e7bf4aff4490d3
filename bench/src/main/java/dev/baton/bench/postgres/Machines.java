package dev.baton.bench.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.node.NodeMain;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Three machines, each a node in a process of its own with a real PostgreSQL, that can be killed, frozen and unplugged. */
final class Machines implements AutoCloseable {

    static final String PASSWORD = "measured";

    private static final List<String> NAMES = List.of("n1", "n2", "n3");
    private static final Duration HTTP_PATIENCE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Map<String, Places> places = new LinkedHashMap<>();
    private final Map<String, Process> nodes = new ConcurrentHashMap<>();
    private final Cables cables = new Cables();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(HTTP_PATIENCE).build();
    private final Thread lastResort = Thread.ofPlatform().unstarted(this::killAll);

    Machines(Path folder, String mode) throws IOException {
        this.folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x")); // for the servers' user
        Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        Set<Integer> taken = new HashSet<>();
        for (String name : NAMES) {
            places.put(name, Places.free(name, taken));
        }
        MachineCallers callers = new MachineCallers(this::processes);
        for (Places machine : places.values()) {
            cables.lay(machine, callers);
            Files.createDirectories(folder.resolve(machine.name()));
            Files.writeString(config(machine.name()), NodeYaml.of(machine, places.values(), mode));
        }
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    List<String> names() {
        return NAMES;
    }

    private Path config(String name) {
        return folder.resolve(name + ".yaml");
    }

    Places at(String name) {
        return Objects.requireNonNull(places.get(name), name);
    }

    private Map<String, List<Long>> processes() {
        Map<String, List<Long>> all = new LinkedHashMap<>();
        nodes.forEach((name, process) -> all.put(
                name,
                Stream.concat(Stream.of(process.toHandle()), process.descendants())
                        .map(ProcessHandle::pid)
                        .toList()));
        return all;
    }

    /** Starts the node of a machine, as its operating system would at boot. */
    void start(String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:disable",
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        NodeMain.class.getName(),
                        config(name).toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(name + ".log").toFile()));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path", "."));
        nodes.put(name, builder.start());
    }

    private Workload server(String name) {
        return new Workload.InFolder(folder.resolve(name).resolve("postgres").resolve("data"));
    }

    /** Ends the node and its server at once, without a word. */
    void kill(String name) throws InterruptedException {
        Process node = Objects.requireNonNull(nodes.get(name), name);
        node.destroyForcibly();
        killServer(name);
        node.waitFor();
    }

    private void killServer(String name) {
        var unused = new Ladder(List.of(new Rung.Kill("kill", PATIENCE))).climb(server(name));
    }

    /** Stops every process of the server where it is: it keeps its port, and answers nothing. */
    void freezeServer(String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-STOP"));
        server(name).roots().forEach(pid -> command.add(pid.toString())); // first those that would start others
        server(name).processes().forEach(pid -> command.add(pid.toString()));
        // A process may end while it is looked for; the round shows whether the server still answers.
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    void unplug(String name) {
        cables.unplug(name);
    }

    void plugIn() {
        cables.plugIn();
    }

    /** Hands the seat to another machine's node; returns when it leads. */
    void switchOver(String from, String to) throws IOException, InterruptedException {
        Optional<JsonNode> done = answer(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at(from).admin() + "/switchover?to=" + to))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .timeout(PATIENCE)
                        .build());
        if (done.isEmpty()) {
            throw new IOException("no switchover from " + from + " to " + to);
        }
    }

    /** What a node tells of its server and of the whole; nothing if it does not answer with yes. */
    Optional<JsonNode> ask(String name, String path) throws InterruptedException {
        try {
            return answer(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at(name).http() + path))
                    .timeout(HTTP_PATIENCE)
                    .build());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Optional<JsonNode> answer(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        return response.statusCode() == 200 ? Optional.of(JSON.readTree(response.body())) : Optional.empty();
    }

    /** The primary, if all is well: two standbys stream, and one of them has everything. */
    Optional<String> primaryIfCalm() throws InterruptedException {
        String primary = null;
        int streaming = 0;
        for (String name : NAMES) {
            Optional<JsonNode> cluster = ask(name, "/cluster");
            if (cluster.isEmpty() || cluster.get().path("complete").size() < 2) {
                return Optional.empty();
            }
            JsonNode member = cluster.get().path("member");
            if (member.path("role").asText().equals("primary")) {
                primary = name;
            } else if (member.path("state").asText().equals("streaming")) {
                streaming++;
            }
        }
        return streaming == NAMES.size() - 1 ? Optional.ofNullable(primary) : Optional.empty();
    }

    /** The standby that surely has every commit. */
    Optional<String> completeStandby(String primary) throws InterruptedException {
        return ask(primary, "/cluster").flatMap(cluster -> {
            for (JsonNode name : cluster.path("complete")) {
                if (!name.asText().equals(primary)) {
                    return Optional.of(name.asText());
                }
            }
            return Optional.empty();
        });
    }

    /** The last lines of every node's log, for whoever must find out what went wrong. */
    String lastWords() {
        StringBuilder words = new StringBuilder();
        for (String name : NAMES) {
            try {
                List<String> lines = Files.readAllLines(folder.resolve(name + ".log"));
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

    private String explanation(String name) {
        try {
            return ask(name, "/explain")
                    .map(page -> page.path("standing").asText() + ", "
                            + page.path("explain").asText())
                    .orElse("no answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "not asked";
        }
    }

    private void killAll() {
        nodes.values().forEach(Process::destroyForcibly);
        NAMES.forEach(this::killServer);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        cables.plugIn();
        killAll();
        for (Process node : nodes.values()) {
            node.waitFor();
        }
        cables.close();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }
}
