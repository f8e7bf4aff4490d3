package dev.baton.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.baton.control.certs.DevelopmentCertificates;
import dev.baton.proxy.Proxy;
import dev.baton.proxy.ProxySettings;
import dev.baton.proxy.ProxyTls;
import dev.baton.proxy.ReplayRules;
import dev.baton.proxy.Upstream;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy whose gRPC clients are encrypted, before a node that wants certificates and is known by its name. */
class ProxyTlsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private HttpServer nodeHttp;
    private Server nodeGrpc;
    private Proxy proxy;

    @BeforeEach
    void start() throws Exception {
        DevelopmentCertificates certificates = DevelopmentCertificates.found(folder, "test", Duration.ofDays(1));
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
        List<String> names = List.of("localhost", "127.0.0.1");
        certificates.issue("proxy", DevelopmentCertificates.Use.SERVER, names, tomorrow);
        certificates.issue("node", DevelopmentCertificates.Use.SERVER, names, tomorrow);
        certificates.issue("to-nodes", DevelopmentCertificates.Use.CLIENT, List.of("baton://test/proxy"), tomorrow);
        nodeHttp = HttpServer.create(loopback(), 16);
        nodeHttp.setExecutor(threads);
        nodeHttp.createContext("/watch", exchange -> {
            try (exchange) {
                if (exchange.getRequestURI().getQuery().contains("known=1")) {
                    stopped.await(1, TimeUnit.SECONDS); // nothing changes
                }
                byte[] said = "{\"node\":\"n1\",\"era\":1,\"version\":1,\"epoch\":1,\"serves\":true,\"ready\":true}"
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, said.length);
                exchange.getResponseBody().write(said);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        nodeHttp.createContext("/hello", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 5);
                exchange.getResponseBody().write("hello".getBytes(StandardCharsets.UTF_8));
            }
        });
        nodeHttp.start();
        HealthStatusManager health = new HealthStatusManager();
        health.setStatus("", ServingStatus.SERVING);
        nodeGrpc = NettyServerBuilder.forAddress(
                        loopback(),
                        TlsServerCredentials.newBuilder()
                                .keyManager(
                                        file("node.crt").toFile(),
                                        file("node.key").toFile())
                                .trustManager(file("ca.crt").toFile())
                                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                                .build())
                .addService(health.getHealthService())
                .build()
                .start();
        proxy = Proxy.start(settings(new ProxyTls(
                Optional.of(new ProxyTls.Identity(file("proxy.crt"), file("proxy.key"))),
                Optional.of(new ProxyTls.Nodes(
                        file("ca.crt"),
                        Optional.of(new ProxyTls.Identity(file("to-nodes.crt"), file("to-nodes.key"))))))));
    }

    private ProxySettings settings(ProxyTls tls) {
        Upstream node = new UpstreamWords()
                .convert("n1=localhost:" + nodeHttp.getAddress().getPort() + ",grpc=localhost:" + nodeGrpc.getPort());
        return new ProxySettings(
                "blocks",
                List.of(node),
                tls.front().isPresent() ? Optional.empty() : Optional.of(loopback()),
                Optional.of(loopback()),
                Optional.empty(),
                loopback(),
                ProxySettings.Holding.STANDARD,
                ReplayRules.STANDARD,
                List.of(),
                true,
                tls);
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        nodeGrpc.shutdownNow();
        stopped.countDown();
        nodeHttp.stop(0);
        threads.shutdownNow();
    }

    @Test
    void aNodeThatIsKnownByItsNameIsReached() throws Exception {
        proxy.close();
        proxy = Proxy.start(settings(ProxyTls.NONE));

        assertThat(hello().body()).isEqualTo("hello");
        assertThat(hello().body()).as("again, on a connection that was kept").isEqualTo("hello");
    }

    private HttpResponse<String> hello() throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            int port = proxy.httpAddress().orElseThrow().getPort();
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/hello"))
                            .timeout(PATIENCE)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void anEncryptedCallReachesANodeThatWantsACertificate() throws Exception {
        ManagedChannel channel = Grpc.newChannelBuilder(
                        "localhost:" + proxy.grpcAddress().orElseThrow().getPort(),
                        TlsChannelCredentials.newBuilder()
                                .trustManager(file("ca.crt").toFile())
                                .build())
                .build();
        try {
            assertThat(HealthGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(PATIENCE)
                            .check(HealthCheckRequest.getDefaultInstance())
                            .getStatus())
                    .isEqualTo(ServingStatus.SERVING);
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void aCallThatIsNotEncryptedIsNotServed() {
        ManagedChannel channel = Grpc.newChannelBuilder(
                        "localhost:" + proxy.grpcAddress().orElseThrow().getPort(), InsecureChannelCredentials.create())
                .build();
        try {
            assertThatThrownBy(() -> HealthGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(PATIENCE)
                            .check(HealthCheckRequest.getDefaultInstance()))
                    .isInstanceOf(StatusRuntimeException.class);
        } finally {
            channel.shutdownNow();
        }
    }
}
