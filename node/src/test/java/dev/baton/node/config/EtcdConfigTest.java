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

class EtcdConfigTest {

    @TempDir
    Path folder;

    private NodeConfig read(String authority, String seat) throws ConfigException {
        return ConfigReader.read(
                "test.yaml",
                "cluster: demo\nnode: n1\ndata: n1\nauthority: {kind: etcd, " + authority
                        + "}\nseats: [{name: blocks, duty: sequencer" + seat + "}]\n",
                folder);
    }

    @Test
    void threeEndpointsAreEnough() throws Exception {
        NodeConfig config = read("endpoints: [\"a:1\", \"b:2\", \"[::1]:3\"]", "");

        EtcdConfig etcd = config.authority().etcd().orElseThrow();
        assertThat(etcd.addresses()).containsExactly("a:1", "b:2", "[::1]:3");
        assertThat(etcd.requestTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(etcd.compactAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(etcd.defragmentAboveBytes()).isEqualTo(64L << 20);
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void everyKeyArrivesWhereItBelongs() throws Exception {
        for (String file : List.of("password", "ca.pem", "own.pem", "own.key")) {
            Files.writeString(folder.resolve(file), "x");
        }
        NodeConfig config = read(
                "endpoints: [\"a:1\"], user: baton, password-file: password, request-timeout: 500ms, compact-after: 0s,"
                        + " defragment-above: 0, tls: {trust: ca.pem, certificate: own.pem, key: own.key}",
                "");

        EtcdConfig etcd = config.authority().etcd().orElseThrow();
        assertThat(etcd.access().user()).contains("baton");
        assertThat(etcd.access().passwordFile()).contains(folder.resolve("password"));
        assertThat(etcd.access().tls().orElseThrow().trust()).isEqualTo(folder.resolve("ca.pem"));
        assertThat(etcd.access().tls().orElseThrow().certificate()).contains(folder.resolve("own.pem"));
        assertThat(etcd.access().tls().orElseThrow().key()).contains(folder.resolve("own.key"));
        assertThat(etcd.requestTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(etcd.compactAfter()).isZero();
        assertThat(etcd.defragmentAboveBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user: | authority.endpoints: none (expected: host:port of 1 to 9 members",
                "endpoints: [a:1, a:1] | authority.endpoints: [a:1, a:1] (expected: each member once)",
                "endpoints: [a:0] | authority.endpoints: a:0 (expected: an address that can be connected to)",
                "endpoints: [a:1], password: secret | authority.password: in the file (expected: password-file",
                "endpoints: [a:1], user: baton | authority.user: baton without a password (expected: password-file or",
                "endpoints: [a:1], password-env: PATH | authority.user: missing (expected: the name that goes with",
                "endpoints: [a:1], request-timeout: 2s | authority.request-timeout: 2s (expected: no longer than pulse",
                "endpoints: [a:1], request-timeout: 1ms | authority.request-timeout: 1ms (expected: 50ms or longer)",
                "endpoints: [a:1], compact-after: 1ms | authority.compact-after: 1ms (expected: 1s or longer, or 0s",
                "endpoints: [a:1], defragment-above: -1 | authority.defragment-above: -1 (expected: a whole number",
                "endpoints: [a:1], nodes: [b:1] | authority.nodes: unknown key (expected: "
            })
    void whatIsWrongIsNamedOnce(String authority, String fault) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(authority, ""));

        List<String> faults = refused.faults().stream().map(Fault::toString).toList();
        assertThat(faults).hasSize(1).first().asString().startsWith(fault).doesNotContain("secret");
    }

    @Test
    void oneEndpointAndALeaseThatEtcdWouldRaiseAreWarnedOf() throws Exception {
        NodeConfig config =
                read("endpoints: [a:1], request-timeout: 100ms", ", pulse: {interval: 100ms, timeout: 100ms}");

        assertThat(config.warnings())
                .anyMatch(warning -> warning.contains("authority.endpoints has one member"))
                .anyMatch(warning -> warning.contains("blocks: etcd keeps a lease of") && warning.contains("2s"));
    }
}
