package dev.baton.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.timing.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NatsConfigTest {

    @TempDir
    Path folder;

    private NodeConfig read(String authority, String seat) throws ConfigException {
        return ConfigReader.read(
                "test.yaml",
                "cluster: demo\nnode: n1\ndata: n1\nauthority: {kind: nats, " + authority
                        + "}\nseats: [{name: blocks, duty: sequencer" + seat + "}]\n",
                folder);
    }

    @Test
    void threeServersAreEnoughAndKeepThreeReplicas() throws Exception {
        NodeConfig config = read("servers: [\"a:1\", \"b:2\", \"[::1]:3\"]", ", pulse: {failure-threshold: 10}");

        NatsConfig nats = config.authority().nats().orElseThrow();
        assertThat(nats.addresses()).containsExactly("a:1", "b:2", "[::1]:3");
        assertThat(nats.requestTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(nats.replicas()).isEqualTo(3);
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void everyKeyArrivesWhereItBelongs() throws Exception {
        for (String file : List.of("password", "baton.creds", "ca.pem", "own.pem", "own.key")) {
            Files.writeString(folder.resolve(file), "x");
        }
        String tls = ", tls: {trust: ca.pem, certificate: own.pem, key: own.key}";
        NatsConfig byPassword = read(
                        "servers: [\"a:1\"], user: baton, password-file: password, request-timeout: 500ms, replicas: 3"
                                + tls,
                        "")
                .authority()
                .nats()
                .orElseThrow();
        NatsConfig byFile = read("servers: [\"a:1\"], credentials-file: baton.creds", "")
                .authority()
                .nats()
                .orElseThrow();

        assertThat(byPassword.access().user()).contains("baton");
        assertThat(byPassword.access().passwordFile()).contains(folder.resolve("password"));
        assertThat(byPassword.access().tls().orElseThrow().trust()).isEqualTo(folder.resolve("ca.pem"));
        assertThat(byPassword.requestTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(byPassword.replicas()).isEqualTo(3);
        assertThat(byFile.credentials()).contains(folder.resolve("baton.creds"));
        assertThat(byFile.replicas()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "request-timeout: 1s | authority.servers: none (expected: host:port of 1 to 9 servers",
                "servers: [a:1, a:1] | authority.servers: [a:1, a:1] (expected: each server once)",
                "servers: [a:0] | authority.servers: a:0 (expected: an address that can be connected to)",
                "servers: [a:1], password: secret | authority.password: in the file (expected: password-file",
                "servers: [a:1], user: baton | authority.user: baton without a password (expected: password-file or",
                "servers: [a:1], password-env: PATH | authority.user: missing (expected: the name that goes with",
                "servers: [a:1], replicas: 2 | authority.replicas: 2 (expected: 1, 3 or 5",
                "servers: [a:1], request-timeout: 2s | authority.request-timeout: 2s (expected: no longer than pulse",
                "servers: [a:1], request-timeout: 1ms | authority.request-timeout: 1ms (expected: 50ms or longer)",
                "servers: [a:1], endpoints: [b:1] | authority.endpoints: unknown key (expected: "
            })
    void whatIsWrongIsNamedOnce(String authority, String fault) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(authority, ""));

        List<String> faults = refused.faults().stream().map(Fault::toString).toList();
        assertThat(faults).hasSize(1).first().asString().startsWith(fault).doesNotContain("secret");
    }

    @Test
    void oneReplicaIsWarnedOfAndADelayThatIsShorterThanAnElectionToo() throws Exception {
        assertThat(read("servers: [a:1]", "").warnings())
                .anyMatch(warning -> warning.contains("authority.servers has one server"))
                .anyMatch(warning -> warning.contains("authority.replicas is 1"));
        assertThat(read("servers: [a:1, b:1, c:1]", "").warnings())
                .singleElement()
                .asString()
                .contains("blocks: a takeover delay of")
                .contains("shorter than an election of NATS");
    }
}
