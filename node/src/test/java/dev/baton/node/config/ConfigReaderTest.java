package dev.baton.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.duty.sequencer.signing.Ed25519;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfigReaderTest {

    private static final String SMALLEST = """
            cluster: demo
            node: n1
            data: data/n1
            authority: {kind: memory}
            seats:
              - {name: blocks, duty: sequencer}
            """;

    private static NodeConfig read(String text) throws ConfigException {
        return ConfigReader.read("test.yaml", text, Path.of("/etc/baton"));
    }

    private static List<Fault> faults(String text) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(text));
        assertThat(refused).as("the configuration is refused").isNotNull();
        return refused.faults();
    }

    private static List<String> keys(String text) {
        return faults(text).stream().map(Fault::key).toList();
    }

    @Test
    void aFewLinesAreEnough() throws Exception {
        NodeConfig config = read(SMALLEST);

        assertThat(config.data()).isEqualTo(Path.of("/etc/baton/data/n1"));
        assertThat(config.listen()).isEqualTo(NodeConfig.Listen.DEFAULT);
        assertThat(config.advertise()).isEqualTo("127.0.0.1");
        assertThat(config.seats().getFirst().timings().interval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.seats().getFirst().evidence()).isTrue();
    }

    @Test
    void everyKeyArrivesWhereItBelongs() throws Exception {
        String key = Ed25519.toText(
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic());
        NodeConfig config = read("""
                cluster: demo
                node: n1
                data: /var/lib/baton
                advertise: n1.example
                listen: {grpc: "0.0.0.0:1", http: "0.0.0.0:2", raft: "n1.example:4", admin: "127.0.0.1:3"}
                authority:
                  kind: raft
                  start: join
                  peers: {n1: "n1.example:4", n2: "n2.example:4", n3: "n3.example:4"}
                  witness: [n3]
                  election-timeout-min: 200ms
                  election-timeout-max: PT0.4S
                  request-timeout: 3s
                seats:
                  - name: blocks
                    duty: sequencer
                    pulse: {interval: 500ms, timeout: 400ms, profile: sticky}
                    takeover: {delay: 10s, stop: 1s, margin: 500ms, clock-rate-bound: 1.05}
                    keep: {entries: 100, bytes: 2000000}
                    evidence: false
                    sequencer:
                      max-block-bytes: 100000
                      max-transaction-bytes: 1000
                      signers: {n1: "%1$s", n2: "%1$s"}
                      forward: false
                      da: {folder: da}
                peers:
                  n2: {grpc: "n2.example:1", http: "n2.example:2"}
                log: {format: json, level: debug}
                """.formatted(key));

        AuthorityConfig raft = config.authority();
        assertThat(raft.peers()).hasSize(3).containsEntry(new NodeId("n2"), new HostPort("n2.example", 4));
        assertThat(raft.isWitness(new NodeId("n3"))).isTrue();
        assertThat(raft.start()).isEqualTo(AuthorityConfig.Start.JOIN);
        assertThat(raft.electionTimeoutMin()).isEqualTo(Duration.ofMillis(200));
        assertThat(raft.electionTimeoutMax()).isEqualTo(Duration.ofMillis(400));
        assertThat(raft.requestTimeout()).isEqualTo(Duration.ofSeconds(3));
        SeatConfig seat = config.seats().getFirst();
        assertThat(seat.timings().policy()).isEqualTo(PulsePolicy.STICKY);
        assertThat(seat.timings().takeoverDelay()).isEqualTo(Duration.ofSeconds(10));
        assertThat(seat.timings().stop()).isEqualTo(Duration.ofSeconds(1));
        assertThat(seat.timings().margin()).isEqualTo(Duration.ofMillis(500));
        assertThat(seat.timings().clockRateBound()).isEqualByComparingTo("1.05");
        assertThat(seat.keep().entries()).isEqualTo(100);
        assertThat(seat.sequencer().settings().maxBlockBytes()).isEqualTo(100_000);
        assertThat(seat.sequencer().settings().forward()).isFalse();
        assertThat(seat.sequencer().dataAvailability()).contains(Path.of("/etc/baton/da"));
        assertThat(config.peers())
                .containsEntry(
                        new NodeId("n2"),
                        new NodeConfig.Peer(new HostPort("n2.example", 1), Optional.of(new HostPort("n2.example", 2))));
        assertThat(config.log()).isEqualTo(new NodeConfig.LogConfig(NodeConfig.LogConfig.Format.JSON, "DEBUG"));
        assertThat(config.seats().getFirst().evidence()).isFalse();
    }

    @Test
    void everyFaultIsToldAtOnceWithItsKey() {
        assertThat(keys("""
                        cluster: Not A Name
                        data: data
                        lisen: {}
                        listen: {grpc: nowhere, http: "127.0.0.1:99999", admin: "0.0.0.0:7403"}
                        authority: {kind: paxos, peers: {n1: here}}
                        seats:
                          - duty: juggler
                            pulse: {intervall: 1s, timeout: soon}
                            keep: {entries: 3}
                            sequencer: {forward: perhaps, signers: {n1: abc}}
                        log: {format: xml}
                        """))
                .containsExactlyInAnyOrder(
                        "cluster",
                        "node",
                        "lisen",
                        "listen.grpc",
                        "listen.http",
                        "listen.admin",
                        "authority.kind",
                        "authority.peers.n1",
                        "seats[0].name",
                        "seats[0].duty",
                        "seats[0].pulse.intervall",
                        "seats[0].pulse.timeout",
                        "seats[0].keep.entries",
                        "seats[0].sequencer.forward",
                        "seats[0].sequencer.signers.n1",
                        "log.format");
    }

    @Test
    void anUnknownKeyNamesTheOneThatWasMeant() {
        assertThat(faults(SMALLEST + "avdertise: host\n"))
                .containsExactly(new Fault("avdertise", "unknown key", "did you mean advertise?"));
    }

    @Test
    void aTakeoverDelayThatAllowsTwoHoldersIsRefusedWithTheNumbers() {
        List<Fault> faults = faults(SMALLEST.replace("duty: sequencer", "duty: sequencer, takeover: {delay: 2s}"));

        assertThat(faults).hasSize(1);
        // (1s interval + 1s between failures + 1s timeout + 250ms margin) × 1.01
        assertThat(faults.getFirst().key()).isEqualTo("seats[0].takeover.delay");
        assertThat(faults.getFirst().toString()).contains("PT2S", "PT3.2825S", "PT3S", "PT0.25S", "1.01");
    }

    @Test
    void aProfileBesideThresholdsIsRefused() {
        assertThat(keys(SMALLEST.replace(
                        "duty: sequencer", "duty: sequencer, pulse: {profile: tank, failure-threshold: 3}")))
                .containsExactly("seats[0].pulse.profile");
    }

    @Test
    void twoRaftMembersAreRefusedAndAnotherEngineIsNamed() {
        List<Fault> faults = faults(SMALLEST.replace(
                "{kind: memory}", "{kind: raft, peers: {n1: \"127.0.0.1:7402\", n2: \"127.0.0.1:7502\"}}"));

        assertThat(faults).hasSize(1);
        assertThat(faults.getFirst().toString()).contains("authority.peers: 2 members", "redis, etcd or nats");
    }

    @Test
    void theAdminPortIsRefusedToStrangersUnlessThereIsTls() {
        List<Fault> faults = faults(SMALLEST + "listen: {admin: \"0.0.0.0:7403\"}\n");

        assertThat(faults).hasSize(1);
        assertThat(faults.getFirst().toString()).contains("listen.admin: 0.0.0.0:7403", "tls");
    }

    @Test
    void aNodeThatListensEverywhereMustSayWhereItIs() {
        assertThat(keys(SMALLEST + "listen: {grpc: \"0.0.0.0:7400\"}\n")).containsExactly("advertise");
    }

    @Test
    void aPeerWithoutASigningKeyIsAFault() {
        List<Fault> faults = faults(SMALLEST + "peers: {n2: {grpc: \"127.0.0.1:7500\"}}\n");

        assertThat(faults).hasSize(1);
        assertThat(faults.getFirst().toString()).contains("sequencer.signers: without [n1, n2]");
    }

    @Test
    void brokenYamlIsToldWithItsLine() {
        assertThat(faults("cluster: demo\nnode: [n1\n").getFirst().toString()).contains("file: line ");
    }

    @Test
    void aKeyGivenTwiceIsRefused() {
        assertThat(faults(SMALLEST + "node: n2\n").getFirst().toString()).contains("file: line 7", "node");
    }

    @Test
    void theDescriptionShowsWhatIsComputed() throws Exception {
        assertThat(read(SMALLEST).describe())
                .contains("fenced at the latest 3s", "taken over after 3282ms (computed)", "lease 3282ms");
    }

    @Test
    void valuesThatMustAgreeAreNamedWhereTheyDiffer() throws Exception {
        Agreement one = Agreement.of(read(SMALLEST));
        Agreement same = Agreement.of(read(SMALLEST.replace("node: n1", "node: n2")));
        Agreement other =
                Agreement.of(read(SMALLEST.replace("duty: sequencer", "duty: sequencer, pulse: {interval: 2s}")));

        assertThat(same.digest()).isEqualTo(one.digest());
        assertThat(other.digest()).isNotEqualTo(one.digest());
        assertThat(one.differences("n1", "n2", other.values()))
                .contains("seats.blocks.pulse.interval: PT1S at n1, PT2S at n2");
    }
}
