package dev.baton.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import dev.baton.duty.postgres.PostgresSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresConfigTest {

    private static final String PASSWORDS = "superuser-password-file: a, replication-password-file: b";

    private static String yaml(String seat, String postgres) {
        return """
                cluster: demo
                node: n1
                data: data/n1
                authority: {kind: memory}
                seats:
                  - {name: pg, duty: postgres, %s postgres: {%s}}
                """.formatted(seat.isEmpty() ? "" : seat + ",", postgres);
    }

    private static NodeConfig read(String text) throws ConfigException {
        return ConfigReader.read("test.yaml", text, Path.of("/etc/baton"));
    }

    private static List<String> faults(String text) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(text));
        assertThat(refused).as("the configuration is refused").isNotNull();
        return refused.faults().stream().map(Fault::key).toList();
    }

    @Test
    void everyKeyArrivesWhereItBelongs() throws Exception {
        NodeConfig config = read(yaml("", PASSWORDS + """
                , listen: "0.0.0.0:5433", advertise: db1, programs: /opt/pg/bin, folder: /var/pg, user: dba,
                initialise: false, preferred: n2, preferred-after: 5s, mode: strict, max-lag-bytes: 7, parameters: {work_mem: 8MB},
                access: ["host app app 10.0.0.0/8 scram-sha-256"], hooks: [poweroff],
                stop: {fast: 500ms, immediate: 500ms, kill: 500ms, hook: 1s}"""));
        PostgresSettings settings = config.seats().getFirst().postgres().settings(config);

        assertThat(settings.listen()).isEqualTo("*");
        assertThat(settings.address()).isEqualTo("db1:5433");
        assertThat(settings.programs()).isEqualTo(Path.of("/opt/pg/bin"));
        assertThat(settings.folder()).isEqualTo(Path.of("/var/pg"));
        assertThat(settings.superuserPassword()).isEqualTo(Path.of("/etc/baton/a"));
        assertThat(settings.replicationPassword()).isEqualTo(Path.of("/etc/baton/b"));
        assertThat(settings.initialise()).isFalse();
        assertThat(config.seats().getFirst().postgres().preferred()).contains(new NodeId("n2"));
        assertThat(config.seats().getFirst().postgres().preferredAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.mode()).isEqualTo(PostgresSettings.Mode.STRICT);
        assertThat(settings.maxLagBytes()).isEqualTo(7);
        assertThat(settings.parameters()).containsEntry("work_mem", "8MB");
        assertThat(settings.access()).containsExactly("host app app 10.0.0.0/8 scram-sha-256");
        assertThat(settings.ladder().longest()).isEqualTo(Duration.ofMillis(2500));
    }

    @Test
    void theDefaultsLeaveTimeToStopTheServer() throws Exception {
        SeatConfig seat = read(yaml("", PASSWORDS)).seats().getFirst();
        assertThat(seat.timings().stop()).isEqualTo(Duration.ofSeconds(3));
        assertThat(seat.timings().takeoverDelay()).isEqualTo(Duration.ofMillis(6565));
    }

    @Test
    void aTakeoverBeforeTheServerIsSurelyDownIsRefused() {
        assertThat(faults(yaml("takeover: {delay: 5s}", PASSWORDS))).containsExactly("seats[0].takeover.delay");
        assertThat(faults(yaml("takeover: {stop: 1s}", PASSWORDS))).containsExactly("seats[0].takeover.stop");
        assertThat(faults(yaml("", PASSWORDS + ", hooks: [poweroff]"))).containsExactly("seats[0].takeover.stop");
    }

    @Test
    void passwordFilesAndAPortAreNeeded() {
        assertThat(faults(yaml("", "listen: \"127.0.0.1:0\"")))
                .containsExactlyInAnyOrder(
                        "seats[0].postgres.superuser-password-file",
                        "seats[0].postgres.replication-password-file",
                        "seats[0].postgres.listen");
    }

    @Test
    void thePublishedExampleIsAProfileThatWarnsOfItsSlimMargin() throws Exception {
        NodeConfig config = read(yaml("pulse: {profile: published}", PASSWORDS));

        assertThat(config.seats().getFirst().timings().takeoverDelay()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.seats()
                        .getFirst()
                        .postgres()
                        .settings(config)
                        .ladder()
                        .longest())
                .isEqualTo(Duration.ofMillis(1500));
        assertThat(config.describe())
                .contains("0    3s     4500ms     5s   after the last good pulse")
                .contains("warning: pg: a margin of 450ms");
    }

    @Test
    void theExampleForSlowOperatorsIsAProfileThatWarnsOfItsLongOutage() throws Exception {
        NodeConfig config = read(yaml("pulse: {profile: published-slow}", PASSWORDS));

        assertThat(config.seats().getFirst().timings().margin()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.describe()).contains("warning: pg: a lost holder is replaced only after 36360ms");
    }

    @Test
    void theTimesOfATakeoverAreShownAsAPicture() throws Exception {
        assertThat(read(yaml("", PASSWORDS)).describe())
                .contains("0    3s     6s     6565ms   after the last good pulse");
    }
}
