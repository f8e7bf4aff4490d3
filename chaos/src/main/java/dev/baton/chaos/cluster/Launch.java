package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.chaos.cluster.Layout.NodePlaces;
import dev.baton.chaos.cluster.Layout.ResourcePlace;
import dev.baton.node.NodeFailure;
import dev.baton.node.RedisSeats;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings a cluster up: files, proxies, servers, nodes; done when a node leads and all of them take part. */
final class Launch {

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration FOUNDING = Duration.ofMinutes(1);
    private static final long EACH_MILLIS = 100;
    private static final int LAST_LINES = 3;
    private static final int MOST_REVIVALS = 6;

    private final Layout layout;
    private final Map<String, String> nodeEnvironment;
    private final Processes processes;
    private final Proxies proxies;
    private final Standings standings;

    Launch(
            Layout layout,
            Map<String, String> nodeEnvironment,
            Processes processes,
            Proxies proxies,
            Standings standings) {
        this.layout = layout;
        this.nodeEnvironment = nodeEnvironment;
        this.processes = processes;
        this.proxies = proxies;
        this.standings = standings;
    }

    void run() throws IOException, InterruptedException {
        NodeYaml.writeAll(layout, "bootstrap");
        for (EnginePlaces engine : layout.engines()) {
            server(engine.name(), layout.kind().prepare(layout, engine, folderFor(engine.name())));
        }
        for (ResourcePlace resource : layout.resources()) {
            Place place = resource.place();
            server(
                    resource.name(),
                    layout.duty().prepare(resource.name(), Place.BEHIND, place.port(), folderFor(resource.name())));
        }
        for (NodePlaces node : layout.nodes()) {
            Optional<String> companion = layout.companionOf(node.name());
            if (companion.isPresent()) {
                companion(companion.get(), node);
            }
            Path config = layout.folderOf(node.name()).resolve(NodeYaml.NAME);
            processes.add(new ChildProcess(
                    node.name(),
                    NodeCommandLine.of(config),
                    nodeEnvironment,
                    layout.logOf(node.name()),
                    config.toString()));
        }
        proxies.open(layout, processes::pids);
        for (String server : layout.serverNames()) {
            processes.of(server).start();
        }
        found();
        for (String node : layout.nodeNames()) {
            processes.of(node).start();
        }
        awaitCalm();
        // From now on a node that finds its folder empty must not begin a cluster of its own.
        NodeYaml.writeAll(layout, "resume");
    }

    private Path folderFor(String server) throws IOException {
        Files.createDirectories(layout.dataOf(server));
        return layout.folderOf(server);
    }

    private void server(String name, List<String> command) {
        processes.add(new ChildProcess(name, command, Map.of(), layout.logOf(name), command.getLast()));
    }

    private void companion(String name, NodePlaces beside) throws IOException {
        List<String> others = layout.nodes().stream()
                .filter(each -> !each.equals(beside))
                .map(each -> each.duty().shownText())
                .toList();
        List<String> program = layout.duty()
                .program(new CompanionFacts(
                        beside.duty().behindText(),
                        others,
                        layout.folder(),
                        folderFor(name).resolve("data")));
        processes.add(new ChildProcess(
                name, NodeCommandLine.of(program), nodeEnvironment, layout.logOf(name), program.getLast()));
    }

    /** A seat on Redis has to be founded once, before any node asks for it. */
    private void found() throws IOException, InterruptedException {
        if (!layout.kind().needsFounding()) {
            return;
        }
        long deadlineNanos = System.nanoTime() + FOUNDING.toNanos();
        while (true) {
            try {
                RedisSeats.found(ConfigReader.read(
                        layout.folderOf(layout.nodeNames().getFirst()).resolve(NodeYaml.NAME)));
                return;
            } catch (NodeFailure e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IOException("the seat cannot be founded: " + e.getMessage(), e);
                }
                Thread.sleep(EACH_MILLIS);
            } catch (ConfigException e) {
                throw new IOException("a node's file is wrong: " + e.getMessage(), e);
            }
        }
    }

    private void awaitCalm() throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + START.toNanos();
        int revivals = 0;
        while (true) {
            List<NodeSample> samples =
                    layout.nodeNames().stream().map(standings::of).toList();
            if (samples.stream().allMatch(NodeSample::takesPart)
                    && Standings.leaderOf(samples).isPresent()) {
                return;
            }
            for (ChildProcess each : processes.all()) {
                // A node that cannot reach its engine yet ends; on a busy machine that happens.
                boolean mayStartAgain = layout.nodeNames().contains(each.name()) && revivals < MOST_REVIVALS;
                if (!each.isAlive() && !mayStartAgain) {
                    throw new IOException(each.name() + " ended (expected: to run); its last words: "
                            + lastWords(layout.logOf(each.name())));
                }
                if (!each.isAlive()) {
                    revivals++;
                    each.revive();
                }
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException("the cluster is not calm after " + START.toSeconds() + " s: " + samples
                        + " (expected: every node takes part and one leads; the logs are in " + layout.folder() + ")");
            }
            Thread.sleep(EACH_MILLIS);
        }
    }

    private static String lastWords(Path log) throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }
}
