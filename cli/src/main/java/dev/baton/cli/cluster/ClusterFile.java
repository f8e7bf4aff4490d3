package dev.baton.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * {@code cluster.json}: which nodes {@code up} runs in a folder, as which processes, on which ports.
 *
 * @param upPid the process of {@code up}, or 0 when it has stopped
 * @param redis the Redis nodes that keep the seat, if that is how it is kept
 */
public record ClusterFile(
        String cluster, String authority, long upPid, List<Member> nodes, Optional<RedisNodes> redis) {

    /** The layout that this version writes, and the newest that it reads. */
    public static final int FORMAT = 1;

    public static final String NAME = "cluster.json";

    public ClusterFile {
        nodes = List.copyOf(nodes);
    }

    /** A cluster whose seat is kept inside its nodes. */
    public ClusterFile(String cluster, String authority, long upPid, List<Member> nodes) {
        this(cluster, authority, upPid, nodes, Optional.empty());
    }

    /**
     * The Redis nodes.
     *
     * @param founded whether the seat has been founded there. From then on it is never founded again: Redis nodes that
     *     know nothing of it any more have lost it.
     */
    public record RedisNodes(boolean founded, List<RedisNode> nodes) {
        public RedisNodes {
            nodes = List.copyOf(nodes);
        }

        public List<String> addresses() {
            return nodes.stream().map(RedisNode::address).toList();
        }

        /** Those that {@code up} runs itself. */
        public List<RedisNode> own() {
            return nodes.stream().filter(RedisNode::own).toList();
        }
    }

    /**
     * One Redis node.
     *
     * @param pid 0 while it does not run, or runs elsewhere
     * @param own whether {@code up} starts and stops it
     */
    public record RedisNode(String name, String address, long pid, boolean own) {
        public RedisNode withPid(long newPid) {
            return new RedisNode(name, address, newPid, own);
        }
    }

    /**
     * One node.
     *
     * @param pid 0 while it does not run
     * @param begun whether it has ever been part of the cluster. From then on it must find what it promised on its disk:
     *     a member that forgot its votes must not vote again.
     */
    public record Member(String node, long pid, boolean begun, Ports ports) {
        public Member withPid(long newPid) {
            return new Member(node, newPid, begun, ports);
        }

        public Member thatHasBegun() {
            return new Member(node, pid, true, ports);
        }
    }

    /** Where a node listens, all on the loopback address. */
    public record Ports(int grpc, int http, int raft, int admin) {
        public List<Integer> all() {
            return List.of(grpc, http, raft, admin);
        }
    }

    /** Reads the file of a data folder; nothing if there is none. */
    public static Optional<ClusterFile> read(Path data) throws CliFailure {
        Path file = data.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(file, Files.readString(file)));
        } catch (IOException e) {
            throw new CliFailure(
                    Exit.DATA_FOLDER, file + " cannot be read: " + e + " (expected: a file this user may read)", e);
        }
    }

    static ClusterFile parse(Path file, String text) throws CliFailure {
        JsonNode json = Json.parse(text).filter(JsonNode::isObject).orElse(null);
        if (json == null) {
            throw new CliFailure(
                    Exit.DATA_FOLDER,
                    file + " is damaged (expected: JSON as written by baton up; restore it, or move the folder aside)");
        }
        int format = json.path("format").asInt(0);
        if (format < 1 || format > FORMAT) {
            throw new CliFailure(
                    Exit.DATA_FOLDER,
                    file + " has format " + format + " (expected: " + FORMAT
                            + "; use the version of baton that wrote it)");
        }
        List<Member> nodes = new ArrayList<>();
        for (JsonNode node : json.path("nodes")) {
            JsonNode ports = node.path("ports");
            nodes.add(new Member(
                    node.path("node").asText(),
                    node.path("pid").asLong(),
                    node.path("begun").asBoolean(),
                    new Ports(
                            ports.path("grpc").asInt(),
                            ports.path("http").asInt(),
                            ports.path("raft").asInt(),
                            ports.path("admin").asInt())));
        }
        return new ClusterFile(
                json.path("cluster").asText(),
                json.path("authority").asText(),
                json.path("up").asLong(),
                nodes,
                redis(json.path("redis")));
    }

    private static Optional<RedisNodes> redis(JsonNode json) {
        if (!json.isObject()) {
            return Optional.empty();
        }
        List<RedisNode> nodes = new ArrayList<>();
        for (JsonNode node : json.path("nodes")) {
            nodes.add(new RedisNode(
                    node.path("node").asText(),
                    node.path("address").asText(),
                    node.path("pid").asLong(),
                    node.path("own").asBoolean()));
        }
        return Optional.of(new RedisNodes(json.path("founded").asBoolean(), nodes));
    }

    public ObjectNode toJson() {
        ObjectNode json = Json.object();
        json.put("format", FORMAT).put("cluster", cluster).put("authority", authority);
        json.put("up", upPid);
        ArrayNode list = json.putArray("nodes");
        for (Member member : nodes) {
            ObjectNode node = list.addObject()
                    .put("node", member.node())
                    .put("pid", member.pid())
                    .put("begun", member.begun());
            node.putObject("ports")
                    .put("grpc", member.ports().grpc())
                    .put("http", member.ports().http())
                    .put("raft", member.ports().raft())
                    .put("admin", member.ports().admin());
        }
        redis.ifPresent(kept -> {
            ObjectNode object = json.putObject("redis").put("founded", kept.founded());
            ArrayNode servers = object.putArray("nodes");
            kept.nodes()
                    .forEach(node -> servers.addObject()
                            .put("node", node.name())
                            .put("address", node.address())
                            .put("pid", node.pid())
                            .put("own", node.own()));
        });
        return json;
    }

    /** Written aside and renamed, so that nobody ever reads half a file. */
    public void write(Path data) throws IOException {
        Path aside = data.resolve(NAME + ".new");
        Files.writeString(aside, toJson().toPrettyString() + "\n");
        Files.move(aside, data.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public Optional<Member> member(String node) {
        return nodes.stream().filter(member -> member.node().equals(node)).findFirst();
    }

    /** The Redis node of this name that {@code up} runs itself. */
    public Optional<RedisNode> ownRedis(String name) {
        return redis.stream()
                .flatMap(kept -> kept.own().stream())
                .filter(node -> node.name().equals(name))
                .findFirst();
    }

    public ClusterFile withPid(String node, long pid) {
        return with(node, member -> member.withPid(pid))
                .withRedis(kept -> changed(kept, server -> server.name().equals(node) ? server.withPid(pid) : server));
    }

    public ClusterFile founded() {
        return withRedis(kept -> new RedisNodes(true, kept.nodes()));
    }

    /** Who started it is up now. */
    public ClusterFile by(long newUpPid) {
        return new ClusterFile(cluster, authority, newUpPid, nodes, redis);
    }

    private ClusterFile withRedis(UnaryOperator<RedisNodes> change) {
        return new ClusterFile(cluster, authority, upPid, nodes, redis.map(change));
    }

    private static RedisNodes changed(RedisNodes kept, UnaryOperator<RedisNode> change) {
        return new RedisNodes(kept.founded(), kept.nodes().stream().map(change).toList());
    }

    public ClusterFile begun(String node) {
        return with(node, Member::thatHasBegun);
    }

    private ClusterFile with(String node, UnaryOperator<Member> change) {
        return new ClusterFile(
                cluster,
                authority,
                upPid,
                nodes.stream()
                        .map(member -> member.node().equals(node) ? change.apply(member) : member)
                        .toList(),
                redis);
    }

    public ClusterFile stopped() {
        return new ClusterFile(
                cluster,
                authority,
                0,
                nodes.stream().map(member -> member.withPid(0)).toList(),
                redis.map(kept -> changed(kept, server -> server.withPid(0))));
    }
}
