package dev.baton.cli.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.tck.Certificates;
import dev.baton.cli.Cli;
import dev.baton.cli.Exit;
import dev.baton.node.Node;
import dev.baton.node.config.ConfigReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command that asks for tokens, against a node that serves them over TLS and wants a certificate. */
@Timeout(180)
class TokensTlsTest {

    @TempDir
    Path folder;

    private final int port = freePort();

    TokensTlsTest() throws IOException {}

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private Cli run(List<String> options, String... arguments) {
        List<String> all = new ArrayList<>(List.of("tokens"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--at", "127.0.0.1:" + port));
        all.addAll(options);
        return Cli.run(all.toArray(String[]::new));
    }

    @Test
    void everyCommandReachesANodeThatWantsACertificate() throws Exception {
        Certificates files = new Certificates(folder.resolve("certificates"));
        List<String> trust = List.of("--trust", files.authority().toString());
        List<String> all = new ArrayList<>(trust);
        all.addAll(List.of(
                "--certificate",
                files.certificate().toString(),
                "--key",
                files.key().toString()));
        String log = folder.resolve("log").toString();
        try (Node node = Node.start(ConfigReader.read("test", configuration(files), folder))) {
            all.addAll(List.of("--within", "60s"));
            assertThat(node).isNotNull();

            assertThat(run(all, "next", "voucher").out()).startsWith("1  (epoch ");
            assertThat(run(all, "stream", "voucher", "--chunk", "10", "--messages", "2")
                            .lines())
                    .hasSize(2);
            assertThat(run(all, "create", "click", "--leased").code()).isZero();
            assertThat(run(all, "namespaces").lines()).hasSize(3);
            assertThat(run(all, "freeze", "click").code()).isZero();
            assertThat(run(all, "history", "voucher").lines().getLast()).isEqualTo("remembered from token 1 on");
            assertThat(run(all, "hammer", "voucher", "--clients", "2", "--for", "200ms", "--log", log)
                            .code())
                    .isZero();
            assertThat(run(all, "verify", log).lines().getLast()).isEqualTo("PASS");

            for (List<String> options : List.of(List.<String>of(), trust)) {
                List<String> hurried = new ArrayList<>(options);
                hurried.addAll(List.of("--within", "500ms"));
                Cli refused = run(hurried, "next", "voucher");
                assertThat(refused.code()).isEqualTo(Exit.UNREACHABLE.number());
                assertThat(refused.err()).contains("--trust, --certificate and --key");
            }
        }
    }

    private String configuration(Certificates files) {
        return """
            cluster: test
            node: n1
            data: data
            listen: {grpc: "127.0.0.1:0", http: "127.0.0.1:0", admin: "127.0.0.1:0"}
            authority: {kind: memory}
            seats:
              - name: ids
                duty: tokens
                tokens: {listen: "127.0.0.1:%d"}
            tls: {certificate: %s, key: %s, trust: %s}
            """.formatted(port, files.certificate(), files.key(), files.authority());
    }

    @Test
    void filesThatAreMissingOrWrongAreTold() throws Exception {
        Path none = folder.resolve("none");
        Path text = Files.writeString(folder.resolve("text"), "no certificate");

        assertThat(run(List.of("--certificate", none.toString(), "--key", none.toString()), "next", "voucher")
                        .err())
                .contains("--trust: missing");
        assertThat(run(List.of("--trust", text.toString(), "--key", none.toString()), "next", "voucher")
                        .err())
                .contains("--certificate: missing");
        for (Path wrong : List.of(none, text)) {
            Cli refused = run(List.of("--trust", wrong.toString()), "next", "voucher");
            assertThat(refused.code()).isEqualTo(Exit.USAGE.number());
            assertThat(refused.err()).startsWith("baton: --trust: " + wrong);
        }
    }
}
