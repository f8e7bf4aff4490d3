package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.core.timing.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RedisSettingsTest {

    private static final RedisSettings GOOD = RedisSettings.of(List.of("a:6379", "b:6379", "[::1]:6379"));

    @Test
    void defaultsOnThreeNodesAreFine() {
        assertThat(GOOD.faults("authority.")).isEmpty();
        assertThat(GOOD.warnings()).isEmpty();
        assertThat(GOOD.majority()).isEqualTo(2);
    }

    @Test
    void everyFaultIsReportedAtOnceWithItsKey() {
        RedisSettings bad = new RedisSettings(
                List.of("a", "b:99999", "c:1", "c:1"),
                Optional.of(new Login(Optional.of(" "), "")),
                Optional.of(new TlsFiles(
                        Path.of("/nowhere/ca"),
                        Optional.of(new TlsFiles.ClientFiles(Path.of("/nowhere/key"), Path.of("/nowhere/crt"))))),
                Duration.ofMillis(1),
                new QuorumSettings(
                        Duration.ofMillis(1), 0, Duration.ofMillis(-1), Duration.ZERO, Duration.ZERO, Duration.ZERO),
                Map.of());

        assertThat(bad.faults("x.").stream().map(Fault::key).distinct())
                .containsExactlyInAnyOrder(
                        "x.nodes",
                        "x.node-timeout",
                        "x.lease",
                        "x.attempts",
                        "x.poll",
                        "x.retry, retry-jitter, poll-jitter",
                        "x.user",
                        "x.password",
                        "x.tls.authority",
                        "x.tls.key",
                        "x.tls.certificate");
        assertThat(bad.faults("x."))
                .contains(new Fault("x.nodes", "a", "host:port"), new Fault("x.nodes", "b:99999", "host:port"));
    }

    @Test
    void tooManyOrNoNodesAreRefused() {
        assertThat(RedisSettings.of(List.of()).faults("")).hasSize(1);
        assertThat(RedisSettings.of(List.of("a:1", "b:1", "c:1", "d:1", "e:1", "f:1", "g:1", "h:1"))
                        .faults(""))
                .hasSize(1);
    }

    @Test
    void evenNumbersAndOneAloneAreWarnedOf() {
        assertThat(RedisSettings.of(List.of("a:1", "b:1")).warnings()).hasSize(1);
        assertThat(RedisSettings.of(List.of("a:1")).warnings()).hasSize(1);
    }

    @Test
    void passwordIsNeverPrinted() {
        RedisSettings settings = GOOD.with(new Login(Optional.of("baton"), "geheim"));
        assertThat(settings.toString()).contains("baton").doesNotContain("geheim");
    }

    @Test
    void hostsAndPortsAreToldApart() {
        assertThat(RedisSettings.hostOf("[::1]:7001")).isEqualTo("::1");
        assertThat(RedisSettings.hostOf("a.example:7001")).isEqualTo("a.example");
        assertThat(RedisSettings.portOf("[::1]:7001")).isEqualTo(7001);
    }
}
