package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.control.certs.DevelopmentCertificates;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.http.HttpListener;
import dev.baton.node.http.NodePages;
import dev.baton.node.http.PemFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a node's secured listener: who shows a certificate acts, and nobody else's page does so for him. */
@Timeout(120)
class CertifiedConsoleTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private NodeConfig.Tls tls(String name) {
        Path certificates = folder.resolve("certificates");
        return new NodeConfig.Tls(
                certificates.resolve(name + ".crt"),
                certificates.resolve(name + ".key"),
                certificates.resolve("ca.crt"));
    }

    private void issueCertificates() throws Exception {
        DevelopmentCertificates authority =
                DevelopmentCertificates.found(folder.resolve("certificates"), "test", Duration.ofDays(1));
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
        authority.issue("node", DevelopmentCertificates.Use.SERVER, List.of("127.0.0.1"), tomorrow);
        authority.issue("operator", DevelopmentCertificates.Use.CLIENT, List.of("baton://demo/operator"), tomorrow);
        DevelopmentCertificates.found(folder.resolve("others"), "others", Duration.ofDays(1))
                .issue("stranger", DevelopmentCertificates.Use.CLIENT, List.of("baton://demo/operator"), tomorrow);
    }

    private static HttpClient client(SSLContext context) {
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static HttpResponse<String> act(HttpClient client, HttpListener listener, String origin, String body)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("https://" + listener.address() + "/console/actions"))
                        .header("Content-Type", "application/json")
                        .header("Origin", origin)
                        .timeout(PATIENCE)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String action(String word, String node) {
        return "{\"action\":\"" + word + "\",\"node\":\"" + node
                + "\",\"seat\":\"blocks\",\"reason\":\"kernel update\"}";
    }

    @Test
    void whoeverShowsACertificateHandsTheSeatOverFromTheListenersOwnPageOnly() throws Exception {
        issueCertificates();
        try (TestCluster cluster = TestCluster.inMemory(folder, "n1", "n2")) {
            cluster.start("n1");
            await().atMost(PATIENCE).until(() -> "n1".equals(cluster.leader()));
            cluster.start("n2");
            try (HttpListener listener =
                    NodePages.openSecuredAdmin(new HostPort("127.0.0.1", 0), cluster.node("n1"), tls("node"))) {
                HttpClient operator = client(PemFiles.context(tls("operator")));
                String own = "https://" + listener.address();

                assertThat(act(operator, listener, "https://evil.example", action("pause", "n1"))
                                .statusCode())
                        .isEqualTo(403);
                assertThat(act(operator, listener, own, action("crash", "n1")).statusCode())
                        .as("a node does not kill itself for a page")
                        .isEqualTo(400);
                assertThat(act(operator, listener, own, "{\"action\":\"pause\",\"node\":\"n1\"}")
                                .body())
                        .contains("reason: 0 characters (expected: 1 to 200)");
                NodeConfig.Tls stranger = new NodeConfig.Tls(
                        folder.resolve("others/stranger.crt"),
                        folder.resolve("others/stranger.key"),
                        folder.resolve("certificates/ca.crt"));
                assertThatThrownBy(() -> act(client(PemFiles.context(stranger)), listener, own, action("pause", "n1")))
                        .isInstanceOf(IOException.class);
                assertThat(cluster.leader()).isEqualTo("n1");

                await().atMost(PATIENCE)
                        .until(() -> act(operator, listener, own, action("handoff", "n2"))
                                        .statusCode()
                                == 200);
                await().atMost(PATIENCE).until(() -> "n2".equals(cluster.leader()));
                assertThat(firstPicture(operator, listener)).contains("\"actions\":[\"handoff\",\"pause\",\"resume\"]");
            }
        }
    }

    private static String firstPicture(HttpClient client, HttpListener listener) throws Exception {
        HttpResponse<InputStream> events = client.send(
                HttpRequest.newBuilder(URI.create("https://" + listener.address() + "/console/events"))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null && !line.startsWith("data: ")) {
                line = lines.readLine();
            }
            return String.valueOf(line);
        }
    }
}
