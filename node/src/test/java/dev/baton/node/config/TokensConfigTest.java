package dev.baton.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.timing.Fault;
import dev.baton.duty.tokens.TokenSettings;
import dev.baton.duty.tokens.rpc.TokenListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensConfigTest {

    private static String yaml(String seat) {
        return """
                cluster: demo
                node: n1
                data: data/n1
                authority: {kind: memory}
                seats:
                  - {name: tokens, duty: tokens%s}
                """.formatted(seat.isEmpty() ? "" : ", " + seat);
    }

    private static NodeConfig read(String text) throws ConfigException {
        return ConfigReader.read("test.yaml", text, Path.of("/etc/baton"));
    }

    private static SeatConfig seat(String seat) throws ConfigException {
        return read(yaml(seat)).seats().getFirst();
    }

    private static List<Fault> faults(String text) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(text));
        assertThat(refused).as("the configuration is refused").isNotNull();
        return refused.faults();
    }

    @Test
    void aSeatOfTokensNeedsNothingButItsName() throws Exception {
        SeatConfig seat = seat("");

        assertThat(seat.tokens().listen()).isEqualTo(new HostPort("127.0.0.1", 50_051));
        assertThat(seat.tokens().settings()).isEqualTo(TokenSettings.DEFAULT);
        assertThat(seat.tokens().connections())
                .isEqualTo(new TokenListener.Settings(100, Duration.ofSeconds(30), Duration.ofSeconds(10)));
        assertThat(seat.timings().takeoverDelay()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void everyKeyArrivesWhereItBelongs() throws Exception {
        SeatConfig seat = seat("""
                takeover: {delay: 5s}, tokens: {listen: "0.0.0.0:5", advertise: tokens.example,
                create-on-first-use: false, max-count: 2, max-namespaces: 3, max-waiting: 40, max-batch: 5,
                leased-ahead: 6, window: 7, checkpoint-every: 8, region: {index: 1, of: 3}, max-streams: 9,
                keepalive-time: 20s, keepalive-timeout: 3s}""".replace("\n", " "));

        assertThat(seat.timings().takeoverDelay()).isEqualTo(Duration.ofSeconds(5));
        assertThat(seat.tokens())
                .isEqualTo(new TokensConfig(
                        new HostPort("0.0.0.0", 5),
                        Optional.of("tokens.example"),
                        new TokenSettings(false, 2, 3, 40, 5, 6, 7, 8, Optional.of(new TokenSettings.Region(1, 3))),
                        new TokenListener.Settings(9, Duration.ofSeconds(20), Duration.ofSeconds(3))));
    }

    /** Ten seconds are the default, not the law: slow pulses need more. */
    @Test
    void pulsesThatNeedALongerTakeoverDelayGetIt() throws Exception {
        assertThat(seat("pulse: {interval: 10s, timeout: 2s}").timings().takeoverDelay())
                .isGreaterThan(Duration.ofSeconds(20));
    }

    @Test
    void aSequencerKeepsItsComputedTakeoverDelay() throws Exception {
        assertThat(read(yaml("").replace("duty: tokens", "duty: sequencer"))
                        .seats()
                        .getFirst()
                        .timings()
                        .takeoverOverride())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-count: 0 | max-count | 0",
                "max-count: -5 | max-count | -5",
                "max-namespaces: 0 | max-namespaces | 0",
                "max-waiting: many | max-waiting | many",
                "max-batch: 70000 | max-batch | 70000",
                "leased-ahead: 0 | leased-ahead | 0",
                "window: 0 | window | 0",
                "window: 3000000000 | window | 3000000000",
                "checkpoint-every: 5001 | checkpoint-every | 5001",
                "create-on-first-use: perhaps | create-on-first-use | perhaps",
                "'region: {index: 3, of: 3}' | region.index | 3",
                "'region: {index: -1, of: 3}' | region.index | -1",
                "'region: {index: 0, of: 0}' | region.of | 0",
                "'region: {index: 0}' | region.of | missing",
                "'region: {of: 3}' | region.index | missing",
                "max-streams: 0 | max-streams | 0",
                "keepalive-time: 1s | keepalive-time | 1s",
                "keepalive-timeout: 1ms | keepalive-timeout | 1ms",
                "'listen: \"50051\"' | listen | 50051",
                "advertise: 0.0.0.0 | advertise | 0.0.0.0",
                "windw: 5 | windw | unknown key"
            })
    void aValueThatCannotBeIsRefusedByItsKey(String setting, String key, String value) {
        List<Fault> faults = faults(yaml("tokens: {" + setting + "}"));

        assertThat(faults).hasSize(1);
        assertThat(faults.getFirst().key()).isEqualTo("seats[0].tokens." + key);
        assertThat(faults.getFirst().value()).isEqualTo(value);
    }

    @Test
    void checkpointsMustComeWellBeforeTheLedgerIsTrimmed() {
        assertThat(faults(yaml("keep: {entries: 1000}, tokens: {checkpoint-every: 501}")))
                .extracting(Fault::toString)
                .containsExactly("seats[0].tokens.checkpoint-every: 501 (expected: at most 500, half of keep.entries,"
                        + " so that a node that starts finds a whole checkpoint)");
    }

    @Test
    void theSectionOfAnotherDutyIsAFault() {
        assertThat(faults(yaml("sequencer: {forward: true}")))
                .extracting(Fault::key)
                .containsExactly("seats[0].sequencer");
        assertThat(faults(yaml("tokens: {window: 5}").replace("duty: tokens", "duty: sequencer")))
                .extracting(Fault::key)
                .containsExactly("seats[0].tokens");
    }

    @Test
    void theListenerNeedsAPortOfItsOwn() {
        assertThat(faults(yaml("tokens: {listen: \"127.0.0.1:7401\"}")))
                .extracting(Fault::toString)
                .containsExactly(
                        "seats[0].tokens.listen: 127.0.0.1:7401 (expected: a port of its own, not that of listen.http)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "window: 9 | window",
                "checkpoint-every: 9 | checkpoint-every",
                "'region: {index: 1, of: 2}' | region",
                "create-on-first-use: false | create-on-first-use",
                "max-namespaces: 9 | max-namespaces",
                "max-count: 9 | max-count"
            })
    void whatAnyHolderDecidesByMustBeTheSameEverywhere(String setting, String key) throws Exception {
        Agreement one = Agreement.of(read(yaml("")));
        Agreement other = Agreement.of(read(yaml("tokens: {" + setting + "}")));

        assertThat(one.differences("n1", "n2", other.values()))
                .singleElement()
                .asString()
                .startsWith("seats.tokens.tokens." + key + ": ");
    }

    @Test
    void whatOnlyThisNodeDoesMayDiffer() throws Exception {
        Agreement one = Agreement.of(read(yaml("")));
        Agreement other =
                Agreement.of(read(yaml("tokens: {listen: \"127.0.0.1:1\", max-waiting: 20000, max-streams: 5}")));

        assertThat(other.digest()).isEqualTo(one.digest());
    }
}
