package dev.baton.cli.console;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.cluster.Reply;
import dev.baton.console.Feed;
import dev.baton.node.config.HostPort;
import dev.baton.node.http.Answer;
import dev.baton.node.http.ConsolePages;
import dev.baton.node.http.HttpListener;
import dev.baton.node.http.Request;
import dev.baton.node.http.Route;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The console of an {@code up}, on a port of the loopback address. */
public final class UpConsole implements AutoCloseable {

    /** Where scripts find the address and the token; only its owner can read it, and it is gone when {@code up} is. */
    public static final String FILE = "console.json";

    private static final int LARGEST_ACTION = 4096;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Supplier<ClusterFile> cluster;
    private final Supplier<Optional<String>> leader;
    private final NodeClient client = new NodeClient(PATIENCE);
    private final Path file;
    private final Feed feed;
    private final HttpListener listener;
    private final Gate gate;

    private UpConsole(
            Path data,
            int port,
            Supplier<ClusterFile> cluster,
            Supplier<Optional<String>> leader,
            Consumer<String> told)
            throws IOException {
        this.cluster = cluster;
        this.leader = leader;
        this.file = data.resolve(FILE);
        this.feed = new Feed(new ClusterSource(cluster.get()));
        Door door = new Door();
        this.listener = HttpListener.open(
                new HostPort("127.0.0.1", port),
                routes(door, new Actions(data, cluster, leader, told)),
                false,
                Optional.empty());
        this.gate = Gate.at(listener.address().port());
        door.open(gate);
    }

    /**
     * Listens at once.
     *
     * @param port 0 for any that is free
     * @param told hears of everything that is asked of the console
     */
    public static UpConsole open(
            Path data,
            int port,
            Supplier<ClusterFile> cluster,
            Supplier<Optional<String>> leader,
            Consumer<String> told)
            throws CliFailure {
        try {
            UpConsole console = new UpConsole(data, port, cluster, leader, told);
            console.leaveFile();
            return console;
        } catch (IOException e) {
            throw new CliFailure(
                    Exit.PORT_IN_USE,
                    "--console-port: " + port + " cannot be listened on: " + e.getMessage()
                            + " (expected: a free port, or 0" + " for any)",
                    e);
        }
    }

    /** Nobody comes in before the gate stands, and it cannot stand before the port is known. */
    private static final class Door {
        private volatile @Nullable Gate gate;

        void open(Gate built) {
            gate = built;
        }

        Optional<Answer> objection(Request request, boolean acts) {
            Gate now = gate;
            if (now == null) {
                return Optional.of(Answer.error(503, "the console is starting; try again"));
            }
            return acts ? now.objectionToActing(request) : now.objection(request);
        }

        Route guard(Route route, boolean acts) {
            return new Route(route.path(), route.methods(), route.bodyLimit(), request -> {
                Optional<Answer> objection = objection(request, acts);
                return objection.isPresent() ? objection.get() : route.handler().handle(request);
            });
        }
    }

    private List<Route> routes(Door door, Actions actions) {
        List<Route> routes = new ArrayList<>();
        routes.add(door.guard(Route.post("/console/actions", LARGEST_ACTION, actions::act), true));
        routes.add(door.guard(Route.get("/blocks", this::blocks), false));
        routes.add(door.guard(Route.get("/blocks/find", this::find), false));
        routes.add(door.guard(Route.get("/blocks/", this::block), false));
        new ConsolePages(feed).routes().forEach(route -> routes.add(door.guard(route, false)));
        routes.add(door.guard(Route.get("/*", UpConsole::elsewhere), false));
        return routes;
    }

    private static Answer elsewhere(Request request) {
        return request.rest().isEmpty()
                ? ConsolePages.moved("/console/")
                : Answer.error(404, "/" + request.rest() + " (expected: /console/)");
    }

    private Answer blocks(Request request) throws InterruptedException {
        return ask("/blocks?limit=" + request.number("limit", 1, 1000, 100));
    }

    private Answer find(Request request) throws InterruptedException {
        String hash = request.parameter("hash").orElse("");
        String below = request.parameter("below")
                .map(text -> "&below=" + Request.number("below", text, 1, Long.MAX_VALUE))
                .orElse("");
        return ask("/blocks/find?hash=" + URLEncoder.encode(hash, StandardCharsets.UTF_8) + below);
    }

    private Answer block(Request request) throws InterruptedException {
        return ask("/blocks/" + Request.number("height", request.rest(), 1, Long.MAX_VALUE));
    }

    /** The leader knows all blocks; while there is none, whoever answers. */
    private Answer ask(String path) throws InterruptedException {
        List<ClusterFile.Member> nodes = new ArrayList<>(cluster.get().nodes());
        Optional<String> first = leader.get();
        nodes.sort((one, other) -> Boolean.compare(
                first.filter(other.node()::equals).isPresent(),
                first.filter(one.node()::equals).isPresent()));
        Answer last = Answer.error(503, "no node answers");
        for (ClusterFile.Member node : nodes) {
            URI http = URI.create("http://127.0.0.1:" + node.ports().http());
            switch (client.get(http, path)) {
                case Reply.Answered(var body) -> {
                    return Answer.json(200, body);
                }
                case Reply.Refused refused -> last = Answer.error(refused.status(), refused.error());
                case Reply.Unreachable unreachable -> last = Answer.error(503, unreachable.why());
            }
        }
        return last;
    }

    private void leaveFile() throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, Json.line(Json.object().put("url", url()).put("token", gate.token())) + "\n");
    }

    public String url() {
        return "http://" + listener.address() + "/console/";
    }

    /** What the page asks for before it acts. */
    public String token() {
        return gate.token();
    }

    @Override
    public void close() {
        feed.close();
        listener.close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // The token in it is worth nothing any more.
        }
    }
}
