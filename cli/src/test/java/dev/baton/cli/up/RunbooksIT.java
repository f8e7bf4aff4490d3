package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command of every runbook, executed on a cluster of real processes, in the order in which the page has them. */
class RunbooksIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CLUSTER = Pattern.compile("<!-- cluster: (\\w+) -->");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
    private static final Pattern EXPECTED = Pattern.compile("(?m)^# → (.*)$");

    /** A page for another cluster than one on Raft says so in its first line. */
    private static String cluster(Path page) throws IOException {
        Matcher first = CLUSTER.matcher(Files.readString(page));
        return first.lookingAt() ? first.group(1) : "raft";
    }

    private static List<Path> pages(String cluster) throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/runbooks"))) {
            List<Path> found = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                if (!file.endsWith("README.md") && cluster(file).equals(cluster)) {
                    found.add(file);
                }
            }
            return found;
        }
    }

    @Test
    void commandsForRaftWork(@TempDir Path folder) throws Exception {
        assertThat(pages("raft")).hasSizeGreaterThan(4);
        execute("raft", folder, "--authority", "raft");
    }

    @Test
    void commandsForRedisWork(@TempDir Path folder) throws Exception {
        assertThat(pages("redis")).isNotEmpty();
        execute("redis", folder, "--authority", "redis");
    }

    @Test
    void commandsForAMempoolWork(@TempDir Path folder) throws Exception {
        assertThat(pages("mempool")).isNotEmpty();
        execute("mempool", folder, "--mempool");
    }

    private static void execute(String cluster, Path folder, String... options) throws Exception {
        Path data = folder.resolve("data");
        List<String> command = new ArrayList<>(List.of("up", "--interval", "200ms", "--json"));
        command.addAll(List.of(options));
        try (RunningUp up = RunningUp.start(data, command.toArray(String[]::new))) {
            up.awaitLine(line -> line.path("height").asLong() >= 2);
            for (Path page : pages(cluster)) {
                await().atMost(RunningUp.PATIENCE).until(() -> isCalm(data));
                execute(page, data, folder);
            }
        } finally {
            endProxy(folder.resolve("proxy.pid"));
        }
    }

    /** A page that fails half-way has not stopped what it started. */
    private static void endProxy(Path file) throws IOException {
        if (Files.exists(file)) {
            ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private static boolean isCalm(Path data) throws Exception {
        var status = RunningUp.ask(data, "status");
        return !status.path("leader").isNull()
                && status.path("nodes")
                        .valueStream()
                        .allMatch(node -> node.path("ready").asBoolean());
    }

    private static void execute(Path page, Path data, Path folder) throws Exception {
        int proxyPort = freePort();
        int healthPort = freePort();
        for (MatchResult block : BLOCK.matcher(Files.readString(page)).results().toList()) {
            String commands = block.group(1);
            Path out = Files.createTempFile(folder, "block", ".out");
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", script(commands))
                    .directory(folder.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment().put("BATON_DATA", data.toString());
            builder.environment().put("PROXY_PORT", Integer.toString(proxyPort));
            builder.environment().put("HEALTH_PORT", Integer.toString(healthPort));
            Process process = builder.start();
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as("%s ends: %s", page, commands)
                    .isTrue();
            String output = Files.readString(out);
            assertThat(process.exitValue())
                    .as("%s: %s%n%s", page.getFileName(), commands, output)
                    .isZero();
            EXPECTED.matcher(commands)
                    .results()
                    .forEach(expected -> assertThat(output)
                            .as("%s: %s", page.getFileName(), commands)
                            .contains(expected.group(1)));
        }
    }

    /** {@code ./baton} stands in the repository, while what a page writes goes to a folder of the test. */
    private static String script(String commands) {
        return "set -o pipefail\n"
                + commands.replace("./baton", ROOT.resolve("baton").toString());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
