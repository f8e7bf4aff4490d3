package dev.baton.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.Era;
import dev.baton.core.Height;
import dev.baton.core.timing.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisConfigTest {

    @TempDir
    Path folder;

    private NodeConfig read(String authority, String seat) throws ConfigException {
        return ConfigReader.read(
                "test.yaml",
                "cluster: demo\nnode: n1\ndata: n1\nauthority: {kind: redis, " + authority
                        + "}\nseats: [{name: blocks, duty: sequencer" + seat + "}]\n",
                folder);
    }

    private List<String> faults(String authority, String seat) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(authority, seat));
        assertThat(refused).as("the configuration is refused").isNotNull();
        return refused.faults().stream().map(Fault::toString).toList();
    }

    @Test
    void threeAddressesAreEnough() throws Exception {
        NodeConfig config = read("nodes: [\"a:1\", \"b:2\", \"[::1]:3\"]", "");

        RedisConfig redis = config.authority().redis().orElseThrow();
        assertThat(redis.addresses()).containsExactly("a:1", "b:2", "[::1]:3");
        assertThat(redis.nodeTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(redis.attempts()).isEqualTo(3);
        assertThat(redis.retry()).isEqualTo(Duration.ofMillis(200));
        assertThat(redis.retryJitter()).isEqualTo(Duration.ofMillis(100));
        assertThat(redis.poll()).isEqualTo(Duration.ofMillis(500));
        assertThat(redis.pollJitter()).isEqualTo(Duration.ofMillis(200));
        assertThat(config.warnings()).isEmpty();
        assertThat(config.seats().getFirst().era()).isEqualTo(Era.FIRST);
    }

    @Test
    void everyKeyArrivesWhereItBelongs() throws Exception {
        for (String file : List.of("password", "ca.pem", "own.pem", "own.key")) {
            Files.writeString(folder.resolve(file), "x");
        }
        NodeConfig config = read(
                "nodes: [\"a:1\"], user: baton, password-file: password, node-timeout: 50ms, attempts: 5, retry: 1s,"
                        + " retry-jitter: 2s, poll: 3s, poll-jitter: 4s,"
                        + " tls: {trust: ca.pem, certificate: own.pem, key: own.key}",
                ", era: 2, era-base: 57");

        RedisConfig redis = config.authority().redis().orElseThrow();
        assertThat(redis.access().user()).contains("baton");
        assertThat(redis.access().passwordFile()).contains(folder.resolve("password"));
        assertThat(redis.access().tls().orElseThrow().trust()).isEqualTo(folder.resolve("ca.pem"));
        assertThat(redis.access().tls().orElseThrow().certificate()).contains(folder.resolve("own.pem"));
        assertThat(redis.access().tls().orElseThrow().key()).contains(folder.resolve("own.key"));
        assertThat(List.of(redis.nodeTimeout(), redis.retry(), redis.retryJitter(), redis.poll(), redis.pollJitter()))
                .containsExactly(
                        Duration.ofMillis(50),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4));
        assertThat(redis.attempts()).isEqualTo(5);
        assertThat(config.seats().getFirst().era()).isEqualTo(new Era(2));
        assertThat(config.seats().getFirst().eraBase()).isEqualTo(new Height(57));
        assertThat(Agreement.of(config).values())
                .containsAllEntriesOf(Map.of("seats.blocks.era", "2", "seats.blocks.era-base", "57"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "attempts: 3 | authority.nodes: none (expected: host:port of 1 to 7 Redis nodes",
                "nodes: [a:1, b:1, c:1, d:1, e:1, f:1, g:1, h:1] | authority.nodes: 8 Redis nodes (expected: ",
                "nodes: [a:1, a:1] | authority.nodes: [a:1, a:1] (expected: each Redis node once)",
                "nodes: [a:0] | authority.nodes: a:0 (expected: an address that can be connected to)",
                "nodes: [a:1], password: secret | authority.password: in the file (expected: password-file",
                "nodes: [a:1], password-file: gone | authority.password-file: gone (expected: a file that can be read",
                "nodes: [a:1], password-env: NOT_SET_ANYWHERE | authority.password-env: NOT_SET_ANYWHERE (expected: ",
                "nodes: [a:1], user: baton | authority.user: baton without a password (expected: password-file or",
                "nodes: [a:1], node-timeout: 2s | authority.node-timeout: 2s (expected: shorter than pulse.timeout 1s",
                "nodes: [a:1], node-timeout: 1ms | authority.node-timeout: 1ms (expected: 10ms or longer)",
                "nodes: [a:1], poll: 1ms | authority.poll: 1ms (expected: 20ms or longer)",
                "nodes: [a:1], attempts: 0 | authority.attempts: 0 (expected: a whole number from 1 to 100)",
                "nodes: [a:1], tls: {trust: gone.pem} | authority.tls.trust: gone.pem (expected: a PEM file",
                "nodes: [a:1], peers: {n1: b:1} | authority.peers: unknown key (expected: ",
                "nodes: [a:1], polll: 1s | authority.polll: unknown key (expected: did you mean poll?)"
            })
    void whatIsWrongIsNamedOnce(String authority, String fault) {
        assertThat(faults(authority, "")).hasSize(1).first().asString().startsWith(fault);
        assertThat(faults(authority, "").getFirst()).doesNotContain("secret");
    }

    @Test
    void aFirstEraHasNoBase() {
        assertThat(faults("nodes: [a:1]", ", era-base: 5"))
                .containsExactly(
                        "seats[0].era-base: 5 (expected: no such key in era 1, which begins at the beginning)");
    }

    @Test
    void oneOrAnEvenNumberOfNodesIsWarnedOf() throws Exception {
        assertThat(read("nodes: [a:1]", "").warnings()).first().asString().contains("while it is away nobody leads");
        assertThat(read("nodes: [a:1, b:1]", "").warnings())
                .first()
                .asString()
                .contains("survive no more failures than 1");
    }
}
