package dev.baton.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The cluster that a command is about: that of an {@code up} on this machine, or a node anywhere by its address. */
public final class ClusterTarget {

    /** What is written when no folder is. */
    public static final String DEFAULT_DATA = "${BATON_DATA:-data}";

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = DEFAULT_DATA,
            description = "The folder of an up cluster (default: $BATON_DATA, else ./data).")
    private Path data = Path.of("data");

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Ask the node at this HTTP address instead, such as http://10.0.0.5:7401.")
    private Optional<URI> url = Optional.empty();

    private final NodeClient client = new NodeClient(PATIENCE);

    public Path data() {
        return data;
    }

    public boolean isByUrl() {
        return url.isPresent();
    }

    public NodeClient client() {
        return client;
    }

    /** What {@code up} wrote about its cluster. */
    public ClusterFile file() throws CliFailure {
        return ClusterFile.read(data)
                .orElseThrow(() -> new CliFailure(
                        Exit.UNREACHABLE,
                        "no cluster in " + data.toAbsolutePath().normalize()
                                + " (expected: " + ClusterFile.NAME
                                + " as baton up writes it; start one with ./baton up, or name one with --data or"
                                + " --url)"));
    }

    /** All nodes that this command may ask. */
    public List<NodeAddress> nodes() throws CliFailure {
        if (url.isPresent()) {
            URI address = checked(url.get());
            return List.of(new NodeAddress(String.valueOf(address.getAuthority()), address, Optional.empty()));
        }
        return file().nodes().stream().map(NodeAddress::of).toList();
    }

    private static URI checked(URI url) throws CliFailure {
        boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!isHttp || url.getAuthority() == null) {
            throw new CliFailure(
                    Exit.USAGE, "--url: " + url + " (expected: an HTTP address such as http://127.0.0.1:7401)");
        }
        return url;
    }

    public NodeAddress node(String name) throws CliFailure {
        List<NodeAddress> nodes = nodes();
        return nodes.stream()
                .filter(node -> node.node().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        unknown(name, nodes.stream().map(NodeAddress::node).collect(Collectors.joining(", "))));
    }

    public static CliFailure unknown(String name, String known) {
        return new CliFailure(Exit.USAGE, "node: \"" + name + "\" (expected: one of " + known + ")");
    }

    /** The reply of every node to the same question, asked at once, in the order of the nodes. */
    public Map<NodeAddress, Reply> askAll(String path) throws CliFailure, InterruptedException {
        Map<NodeAddress, Future<Reply>> asked = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (NodeAddress node : nodes()) {
                asked.put(node, threads.submit(() -> client.get(node.http(), path)));
            }
        }
        Map<NodeAddress, Reply> replies = new LinkedHashMap<>();
        for (Map.Entry<NodeAddress, Future<Reply>> entry : asked.entrySet()) {
            replies.put(entry.getKey(), replyOf(entry.getValue()));
        }
        return replies;
    }

    private static Reply replyOf(Future<Reply> asked) throws InterruptedException {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("asking a node broke", e.getCause());
        }
    }

    /** The nodes that answer, the holder of the seat first, then whoever has most blocks. */
    public List<NodeAddress> answering() throws CliFailure, InterruptedException {
        record Candidate(NodeAddress node, boolean leads, long height) {}
        List<Candidate> candidates = new ArrayList<>();
        Map<NodeAddress, Reply> replies = askAll("/status");
        for (Map.Entry<NodeAddress, Reply> entry : replies.entrySet()) {
            entry.getValue().answer().ifPresent(status -> {
                JsonNode seat = status.path("seats").path(0);
                candidates.add(new Candidate(
                        entry.getKey(),
                        seat.path("standing").asText().equals("LEADER"),
                        seat.path("height").asLong()));
            });
        }
        if (candidates.isEmpty()) {
            throw noneAnswers(replies);
        }
        return candidates.stream()
                .sorted((one, other) -> one.leads() == other.leads()
                        ? Long.compare(other.height(), one.height())
                        : Boolean.compare(other.leads(), one.leads()))
                .map(Candidate::node)
                .toList();
    }

    public static CliFailure noneAnswers(Map<NodeAddress, Reply> replies) {
        String why = replies.entrySet().stream()
                .map(entry -> entry.getKey().node() + ": " + problem(entry.getValue()))
                .collect(Collectors.joining("; "));
        return new CliFailure(
                Exit.UNREACHABLE, "no node answers (" + why + "); is it running? ./baton up starts a cluster");
    }

    /** In words, why there is no answer. */
    public static String problem(Reply reply) {
        return switch (reply) {
            case Reply.Answered answered -> "answers";
            case Reply.Refused refused -> refused.error();
            case Reply.Unreachable unreachable -> unreachable.why();
        };
    }

    /** The body of a good answer, or the failure that the reply stands for. */
    public static JsonNode expect(Reply reply) throws CliFailure {
        return switch (reply) {
            case Reply.Answered answered -> answered.body();
            case Reply.Refused refused
            when refused.status() == 404 -> throw new CliFailure(Exit.NOT_FOUND, refused.error());
            case Reply.Refused refused
            when refused.status() == 503 -> throw new CliFailure(Exit.UNREACHABLE, refused.error());
            case Reply.Refused refused -> throw new CliFailure(Exit.REFUSED, refused.error());
            case Reply.Unreachable unreachable ->
                throw new CliFailure(Exit.UNREACHABLE, unreachable.why() + "; is the node running?");
        };
    }
}
