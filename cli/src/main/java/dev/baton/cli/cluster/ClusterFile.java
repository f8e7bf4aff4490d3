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
 * @param duty what the holder of the seat does: {@code sequencer}, {@code tokens}, {@code postgres} or {@code
 *     remote}
 * @param upPid the process of {@code up}, or 0 when it has stopped
 * @param servers the servers outside of the nodes that keep the seat, if that is how it is kept
 */
public record ClusterFile(
        String cluster, String authority, String duty, long upPid, List<Member> nodes, Optional<Servers> servers) {

    /** The layout that this version writes, and the newest that it reads. */
    public static final int FORMAT = 1;

    public static final String NAME = "cluster.json";

    public static final String SEQUENCER = "sequencer";
    public static final String TOKENS = "tokens";
    public static final String POSTGRES = "postgres";
    public static final String REMOTE = "remote";

    public ClusterFile {
        nodes = List.copyOf(nodes);
    }

    /** A cluster that makes blocks, and whose seat is kept inside its nodes. */
    public ClusterFile(String cluster, String authority, long upPid, List<Member> nodes) {
        this(cluster, authority, SEQUENCER, upPid, nodes, Optional.empty());
    }

    /**
     * The servers.
     *
     * @param founded whether the seat has been founded there. From then on it is never founded again: servers that know
     *     nothing of it any more have lost it. Only Redis asks for that.
     */
    public record Servers(ServerKind kind, boolean founded, List<Server> nodes) {
        public Servers {
            nodes = List.copyOf(nodes);
        }

        public List<String> addresses() {
            return nodes.stream().map(Server::address).toList();
        }

        /** Those that {@code up} runs itself. */
        public List<Server> own() {
            return nodes.stream().filter(Server::own).toList();
        }
    }

    /**
     * One server.
     *
     * @param peerPort where it listens for the other servers; 0 if they do not talk to each other
     * @param pid 0 while it does not run, or runs elsewhere
     * @param own whether {@code up} starts and stops it
     */
    public record Server(String name, String address, int peerPort, long pid, boolean own) {
        public Server withPid(long newPid) {
            return new Server(name, address, peerPort, newPid, own);
        }

        public int port() {
            return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
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
    public record Ports(int grpc, int http, int raft, int admin, int duty) {
        public List<Integer> all() {
            return List.of(grpc, http, raft, admin, duty);
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
                            ports.path("admin").asInt(),
                            // An earlier version called it so, whatever it was for.
                            ports.path("duty").asInt(ports.path("tokens").asInt()))));
        }
        return new ClusterFile(
                json.path("cluster").asText(),
                json.path("authority").asText(),
                json.path("duty").asText(SEQUENCER),
                json.path("up").asLong(),
                nodes,
                ServerKind.of(json.path("authority").asText())
                        .flatMap(kind -> servers(kind, json.path(kind.authority()))));
    }

    private static Optional<Servers> servers(ServerKind kind, JsonNode json) {
        if (!json.isObject()) {
            return Optional.empty();
        }
        List<Server> nodes = new ArrayList<>();
        for (JsonNode node : json.path("nodes")) {
            nodes.add(new Server(
                    node.path("node").asText(),
                    node.path("address").asText(),
                    node.path("peer").asInt(0),
                    node.path("pid").asLong(),
                    node.path("own").asBoolean()));
        }
        return Optional.of(new Servers(kind, json.path("founded").asBoolean(), nodes));
    }

    public ObjectNode toJson() {
        ObjectNode json = Json.object();
        json.put("format", FORMAT)
                .put("cluster", cluster)
                .put("authority", authority)
                .put("duty", duty);
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
                    .put("admin", member.ports().admin())
                    .put("duty", member.ports().duty());
        }
        servers.ifPresent(kept -> {
            ObjectNode object = json.putObject(kept.kind().authority()).put("founded", kept.founded());
            ArrayNode each = object.putArray("nodes");
            for (Server server : kept.nodes()) {
                ObjectNode node = each.addObject().put("node", server.name()).put("address", server.address());
                if (server.peerPort() > 0) {
                    node.put("peer", server.peerPort());
                }
                node.put("pid", server.pid()).put("own", server.own());
            }
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

    /** The server of this name that {@code up} runs itself. */
    public Optional<Server> ownServer(String name) {
        return servers.stream()
                .flatMap(kept -> kept.own().stream())
                .filter(node -> node.name().equals(name))
                .findFirst();
    }

    public ClusterFile withPid(String node, long pid) {
        return with(node, member -> member.withPid(pid))
                .withServers(
                        kept -> changed(kept, server -> server.name().equals(node) ? server.withPid(pid) : server));
    }

    public ClusterFile founded() {
        return withServers(kept -> new Servers(kept.kind(), true, kept.nodes()));
    }

    /** Who started it is up now. */
    public ClusterFile by(long newUpPid) {
        return new ClusterFile(cluster, authority, duty, newUpPid, nodes, servers);
    }

    private ClusterFile withServers(UnaryOperator<Servers> change) {
        return new ClusterFile(cluster, authority, duty, upPid, nodes, servers.map(change));
    }

    private static Servers changed(Servers kept, UnaryOperator<Server> change) {
        return new Servers(
                kept.kind(), kept.founded(), kept.nodes().stream().map(change).toList());
    }

    public ClusterFile begun(String node) {
        return with(node, Member::thatHasBegun);
    }

    private ClusterFile with(String node, UnaryOperator<Member> change) {
        return new ClusterFile(
                cluster,
                authority,
                duty,
                upPid,
                nodes.stream()
                        .map(member -> member.node().equals(node) ? change.apply(member) : member)
                        .toList(),
                servers);
    }

    public ClusterFile stopped() {
        return new ClusterFile(
                cluster,
                authority,
                duty,
                0,
                nodes.stream().map(member -> member.withPid(0)).toList(),
                servers.map(kept -> changed(kept, server -> server.withPid(0))));
    }
}
