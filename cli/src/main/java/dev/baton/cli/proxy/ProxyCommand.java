package dev.baton.cli.proxy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.proxy.Proxy;
import dev.baton.proxy.ProxySettings;
import dev.baton.proxy.ReplayRules;
import dev.baton.proxy.Upstream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a proxy until it is told to stop. */
@Command(
        name = "proxy",
        description = {
            "Sends HTTP, gRPC and TCP clients to the node that holds the seat, and holds their requests through a"
                    + " handover.",
            "Never passes the Admin Control API on."
        },
        footer = {
            "%nExamples:",
            "  baton proxy --http 127.0.0.1:8080",
            "  baton proxy --http 0.0.0.0:8080 --reads /blocks --seat blocks --node n1=10.0.0.5:7401 --node"
                    + " n2=10.0.0.6:7401",
            "  baton proxy --tcp 127.0.0.1:5432 --seat pg-main --node n1=10.0.0.5:7401,tcp=10.0.0.5:5433"
        })
public final class ProxyCommand implements Callable<Integer> {

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ClusterTarget.DEFAULT_DATA,
            description = "The folder of an up cluster, if no --node is given (default: $BATON_DATA, else ./data).")
    private Path data = Path.of("data");

    @Option(
            names = "--node",
            paramLabel = "NODE",
            converter = UpstreamWords.class,
            description = "A node, as NAME=HOST:PORT[,http=HOST:PORT][,grpc=HOST:PORT][,tcp=HOST:PORT]: first its own"
                    + " HTTP address, then where clients are sent. Once for each node.")
    private List<Upstream> nodes = new ArrayList<>();

    @Option(
            names = "--seat",
            paramLabel = "SEAT",
            description = "Whose holder to follow (default: that of the up cluster, else blocks).")
    private Optional<String> seat = Optional.empty();

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            converter = AddressWords.class,
            description = "Where to listen for HTTP/1.1.")
    private Optional<InetSocketAddress> http = Optional.empty();

    @Option(
            names = "--grpc",
            paramLabel = "HOST:PORT",
            converter = AddressWords.class,
            description = "Where to listen for gRPC.")
    private Optional<InetSocketAddress> grpc = Optional.empty();

    @Option(
            names = "--tcp",
            paramLabel = "HOST:PORT",
            converter = AddressWords.class,
            description = "Where to listen for raw connections.")
    private Optional<InetSocketAddress> tcp = Optional.empty();

    @Option(
            names = "--health",
            paramLabel = "HOST:PORT",
            converter = AddressWords.class,
            defaultValue = "127.0.0.1:0",
            description = "Where to answer /live, /ready, /holder, /status and /metrics (default: any free port).")
    private InetSocketAddress health = new InetSocketAddress("127.0.0.1", 0);

    @Option(
            names = "--reads",
            paramLabel = "PATH",
            split = ",",
            description = "Paths whose GET and HEAD any node that is ready may answer, with all below them.")
    private List<String> reads = new ArrayList<>();

    @Option(
            names = "--repeatable",
            paramLabel = "WHAT",
            split = ",",
            description = "Further POST paths, or gRPC methods as package.Service/Method, that may be sent twice.")
    private List<String> repeatable = new ArrayList<>();

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = Durations.class,
            description = "How long a request waits for a holder (default: 15s).")
    private Duration patience = Duration.ofSeconds(15);

    @Option(
            names = "--max-waiting",
            paramLabel = "COUNT",
            defaultValue = "1024",
            description = "How many may wait (default: 1024).")
    private int maxWaiting = 1024;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Durations.class,
            description = "How long requests under way may take after a signal to stop (default: 10s).")
    private Duration drain = Duration.ofSeconds(10);

    @Mixin
    private final TlsOptions tls = new TlsOptions();

    @Option(names = "--keep-tcp", description = "Let raw connections go on when another node holds the seat.")
    private boolean keepTcp;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        ProxySettings settings = settings();
        if (!settings.faults().isEmpty()) {
            throw new CliFailure(Exit.USAGE, String.join("\n", settings.faults()));
        }
        CountDownLatch stopped = new CountDownLatch(1);
        try (Proxy proxy = Proxy.start(settings)) {
            Thread stop = new Thread(() -> stop(proxy), "proxy-stop");
            Runtime.getRuntime().addShutdownHook(stop);
            tell(proxy);
            stopped.await(); // until the process is told to end
        } catch (IOException e) {
            throw new CliFailure(Exit.PORT_IN_USE, String.valueOf(e.getMessage()), e);
        }
        return Exit.OK.number();
    }

    private static void stop(Proxy proxy) {
        try {
            proxy.drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        proxy.close();
    }

    private void tell(Proxy proxy) {
        ObjectNode json = Json.object();
        List<String> words = new ArrayList<>();
        address(json, words, "http", proxy.httpAddress());
        address(json, words, "grpc", proxy.grpcAddress());
        address(json, words, "tcp", proxy.tcpAddress());
        address(json, words, "health", proxy.healthAddress());
        output.print(json, words);
    }

    private static void address(ObjectNode json, List<String> words, String name, Optional<InetSocketAddress> address) {
        address.ifPresent(at -> {
            String text = at.getHostString() + ":" + at.getPort();
            json.put(name, text);
            words.add("%-6s %s".formatted(name, text));
        });
    }

    private ProxySettings settings() throws CliFailure {
        List<Upstream> upstreams = nodes;
        String followed = seat.orElse("blocks");
        if (upstreams.isEmpty()) {
            ClusterFile cluster = ClusterFile.read(data)
                    .orElseThrow(() -> new CliFailure(
                            Exit.UNREACHABLE,
                            "no --node, and no cluster in "
                                    + data.toAbsolutePath().normalize()
                                    + " (expected: one of them; start a cluster with ./baton up)"));
            followed = seat.orElse(
                    switch (cluster.duty()) {
                        case ClusterFile.TOKENS -> "tokens";
                        case ClusterFile.POSTGRES -> "pg";
                        default -> "blocks";
                    });
            upstreams = cluster.nodes().stream()
                    .map(member -> member(member, cluster.duty()))
                    .toList();
        }
        return new ProxySettings(
                followed,
                upstreams,
                http,
                grpc,
                tcp,
                health,
                new ProxySettings.Holding(
                        maxWaiting,
                        ProxySettings.Holding.STANDARD.maxBytes(),
                        ProxySettings.Holding.STANDARD.maxBodyBytes(),
                        patience,
                        drain),
                replay(),
                reads,
                !keepTcp,
                tls.read());
    }

    /** Raw connections go where gRPC goes, or to the database: never to the admin port. */
    private static Upstream member(ClusterFile.Member member, String duty) {
        ClusterFile.Ports ports = member.ports();
        InetSocketAddress http = local(ports.http());
        InetSocketAddress grpc = local(duty.equals(ClusterFile.TOKENS) ? ports.duty() : ports.grpc());
        InetSocketAddress raw = duty.equals(ClusterFile.POSTGRES) ? local(ports.duty()) : grpc;
        return new Upstream(member.node(), http, Optional.of(http), Optional.of(grpc), Optional.of(raw));
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    private ReplayRules replay() {
        Set<String> paths = new LinkedHashSet<>(ReplayRules.STANDARD.httpPaths());
        Set<String> methods = new LinkedHashSet<>(ReplayRules.STANDARD.grpcMethods());
        for (String what : repeatable) {
            (what.startsWith("/") ? paths : methods).add(what);
        }
        return new ReplayRules(paths, methods);
    }
}
