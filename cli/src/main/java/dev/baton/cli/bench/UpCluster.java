package dev.baton.cli.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.bench.Folders;
import dev.baton.bench.LiveCluster;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Main;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.cluster.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A cluster under a {@code baton up} of its own, in a temporary folder. */
public final class UpCluster implements LiveCluster {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration HANDOFF = Duration.ofSeconds(5);

    private final Path data;
    private final long startedNanos = System.nanoTime();
    private final CompletableFuture<Duration> firstBlock = new CompletableFuture<>();
    private final NodeClient client = new NodeClient(Duration.ofMillis(500));

    private Process up;

    private UpCluster(Path data, Process up) {
        this.data = data;
        this.up = up;
        listenTo(up);
    }

    public static LiveCluster start(String authority, String duty, Duration interval) throws IOException {
        Path data = Files.createTempDirectory("baton-bench");
        return new UpCluster(data, launch(data, interval, List.of("--authority", authority, "--duty", duty)));
    }

    private static Process launch(Path data, Duration interval, List<String> more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        Optional.ofNullable(System.getProperty("baton.commit")).ifPresent(it -> command.add("-Dbaton.commit=" + it));
        command.addAll(List.of(Main.class.getName(), "up", "--json"));
        command.addAll(List.of("--data", data.toString(), "--interval", interval.toMillis() + "ms"));
        command.addAll(more);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path", "."));
        return builder.start();
    }

    @Override
    public void restart(Duration interval) throws IOException, InterruptedException {
        stop();
        up = launch(data, interval, List.of());
        listenTo(up);
    }

    private void listenTo(Process process) {
        Thread.ofPlatform().daemon().name("bench-up").start(() -> listen(process));
    }

    private void listen(Process process) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            while (lines.readLine() != null) {
                firstBlock.complete(Duration.ofNanos(System.nanoTime() - startedNanos));
            }
        } catch (IOException e) {
            firstBlock.completeExceptionally(e);
        }
    }

    @Override
    public Duration toFirstBlock() {
        try {
            return firstBlock.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the first block", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no block within " + PATIENCE, e);
        }
    }

    private List<Member> members() {
        try {
            return ClusterFile.read(data).map(ClusterFile::nodes).orElse(List.of());
        } catch (CliFailure e) {
            throw new IllegalStateException(e);
        }
    }

    private Member member(String node) {
        return members().stream()
                .filter(member -> member.node().equals(node))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node " + node + " in " + data));
    }

    private static URI http(Member member) {
        return URI.create("http://127.0.0.1:" + member.ports().http());
    }

    @Override
    public List<String> nodes() {
        return members().stream().map(Member::node).toList();
    }

    @Override
    public String awaitCalm() throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < giveUpNanos) {
            Optional<String> leader = leaderIfCalm();
            if (leader.isPresent()) {
                return leader.get();
            }
            if (!up.isAlive()) {
                throw new IllegalStateException("up ended with " + up.exitValue());
            }
            TimeUnit.MILLISECONDS.sleep(5); // asking without a pause would disturb what is measured
        }
        throw new IllegalStateException("the cluster did not come to rest within " + PATIENCE);
    }

    private Optional<String> leaderIfCalm() throws InterruptedException {
        String leader = null;
        List<Member> members = members();
        for (Member member : members) {
            JsonNode seat = client.get(http(member), "/status")
                    .answer()
                    .map(status -> status.path("seats").path(0))
                    .orElse(null);
            if (seat == null || !seat.path("ready").asBoolean()) {
                return Optional.empty();
            }
            if (seat.path("standing").asText().equals("LEADER")) {
                leader = member.node();
            }
        }
        return members.isEmpty() ? Optional.empty() : Optional.ofNullable(leader);
    }

    @Override
    public long kill(String node) {
        long pid = member(node).pid();
        ProcessHandle process = ProcessHandle.of(pid)
                .orElseThrow(() -> new IllegalStateException("node " + node + ", process " + pid + ", is gone"));
        long atMicros = LiveCluster.nowMicros();
        process.destroyForcibly();
        return atMicros;
    }

    @Override
    public long freeze(String node) throws InterruptedException {
        long atMicros = LiveCluster.nowMicros();
        signal(node, "STOP");
        return atMicros;
    }

    @Override
    public void wake(String node) throws InterruptedException {
        signal(node, "CONT");
    }

    private void signal(String node, String signal) throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(member(node).pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("no signal " + signal + " to " + node, e);
        }
    }

    @Override
    public long handOff(String target) throws InterruptedException {
        Member holder = member(awaitCalm());
        long atMicros = LiveCluster.nowMicros();
        Reply reply = client.post(
                URI.create("http://127.0.0.1:" + holder.ports().admin()),
                "/handoff?to=" + target + "&validMillis=" + HANDOFF.toMillis(),
                new byte[0],
                HANDOFF.multipliedBy(2));
        if (reply.answer().isEmpty()) {
            throw new IllegalStateException("handoff to " + target + ": " + reply);
        }
        return atMicros;
    }

    @Override
    public List<Milestone> milestones(String node) throws InterruptedException {
        List<Milestone> passed = new ArrayList<>();
        client.get(http(member(node)), "/milestones")
                .answer()
                .ifPresent(answer -> answer.path("milestones")
                        .forEach(one -> passed.add(new Milestone(
                                one.path("milestone").asText(),
                                one.path("epoch").asLong(),
                                one.path("atMicros").asLong()))));
        return passed;
    }

    @Override
    public Optional<String> holderNamedBy(String node) throws InterruptedException {
        return client.get(http(member(node)), "/status")
                .answer()
                .map(status ->
                        status.path("seats").path(0).path("holder").path("node").asText(""))
                .filter(holder -> !holder.isEmpty());
    }

    @Override
    public Map<String, Integer> httpPorts() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        members().forEach(member -> ports.put(member.node(), member.ports().http()));
        return ports;
    }

    @Override
    public Map<String, Long> processes() {
        Map<String, Long> pids = new LinkedHashMap<>();
        members().forEach(member -> pids.put(member.node(), member.pid()));
        return pids;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        stop();
        Folders.delete(data);
    }

    private void stop() throws InterruptedException {
        up.destroy();
        if (!up.waitFor(30, TimeUnit.SECONDS)) {
            up.destroyForcibly().waitFor();
        }
    }
}
