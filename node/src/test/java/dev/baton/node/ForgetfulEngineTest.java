package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.tokens.Answer;
import dev.baton.duty.tokens.Ask;
import dev.baton.duty.tokens.Changed;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceSpec;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.Tokens;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import dev.baton.seat.SeatStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * INV-12: an engine that was put back from a backup, or wiped, knows less than was handed out. Real engines, and nodes that
 * are started again over them.
 */
@Timeout(180)
class ForgetfulEngineTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private static NodeConfig config(Path folder, String node, String authority, String ofSeat) {
        try {
            return ConfigReader.read(node, """
                    cluster: demo
                    node: %1$s
                    data: %1$s
                    listen: {grpc: "127.0.0.1:0", http: "127.0.0.1:0", admin: "127.0.0.1:0"}
                    authority: {%2$s}
                    seats:
                      - name: ids
                        duty: tokens
                        pulse: {interval: 100ms, timeout: 1s}
                        tokens: {listen: "127.0.0.1:0"}%3$s
                    """.formatted(node, authority, ofSeat), folder);
        } catch (ConfigException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private NodeConfig onEtcd(EtcdServers etcd, String node) {
        return onEtcd(etcd, node, "");
    }

    private NodeConfig onEtcd(EtcdServers etcd, String node, String ofSeat) {
        return config(folder, node, "kind: etcd, endpoints: [\"" + etcd.get(0).address() + "\"]", ofSeat);
    }

    private static final String ERA_2 = "\n    era: 2";

    private EtcdServers etcd() throws IOException {
        return EtcdServers.start(1, Files.createDirectory(folder.resolve("etcd")));
    }

    private Path etcdData() {
        return folder.resolve("etcd").resolve("etcd-1").resolve("data");
    }

    private static SeatStatus status(Node node) {
        return node.seats().getFirst().status();
    }

    private static void awaitThat(Node node, Predicate<SeatStatus> condition) {
        await().atMost(PATIENCE).until(() -> status(node), condition);
    }

    private static Tokens tokens(Node node) {
        awaitThat(node, SeatStatus::leads);
        return node.seats().getFirst().duty().tokens().orElseThrow();
    }

    private static Answer answer(Node node, long count) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        tokens(node).next(new Ask("voucher", count, Optional.empty(), false), answer::complete);
        return answer.join();
    }

    private static long first(Node node, long count) {
        return ((Answer.Handed) answer(node, count)).start();
    }

    private static Changed created(Node node, OptionalLong start) {
        CompletableFuture<Changed> changed = new CompletableFuture<>();
        tokens(node)
                .create(
                        new NamespaceSpec(
                                "voucher",
                                Guarantee.STRICT,
                                start,
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                OptionalInt.empty()),
                        changed::complete);
        return changed.join();
    }

    /** It says why, names both heights and the remedy, and does not lead. */
    private static void assertRefuses(Node node, String... words) {
        awaitThat(
                node,
                status -> status.leads()
                        || (status.readiness() instanceof Readiness.NotReady(String why)
                                && why.contains("this node had followed it up to")
                                && Stream.of(words).allMatch(why::contains)));
        assertThat(status(node).leads()).isFalse();
        assertThat(status(node).readiness())
                .asInstanceOf(type(Readiness.NotReady.class))
                .satisfies(refused -> assertThat(refused.why()).contains(words).contains("expected", "backup"));
    }

    private static void remove(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            paths.forEach(path -> {
                try {
                    Files.copy(path, to.resolve(from.relativize(path).toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Test
    void aNodeGoesOnOverAnEngineThatForgotNothing() throws Exception {
        try (EtcdServers etcd = etcd()) {
            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertThat(first(node, 50)).isEqualTo(1);
            }
            etcd.restart();
            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertThat(first(node, 1)).isEqualTo(51);
            }
        }
    }

    @Test
    void anEngineThatWasWipedIsRefusedAndANewEraBeginsWhereItsOperatorSays() throws Exception {
        try (EtcdServers etcd = etcd()) {
            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertThat(first(node, 50)).isEqualTo(1);
            }
            etcd.get(0).kill();
            remove(etcdData());
            etcd.get(0).start();
            etcd.awaitLeader();

            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertRefuses(node, "demo/ids@1", "up to height 0", "raise the era");
            }

            try (Node node = Node.start(onEtcd(etcd, "n1", ERA_2))) {
                assertThat(answer(node, 1)).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(Refusal.NO_NAMESPACE);
                    assertThat(refused.message()).contains("start", "era 2");
                });
                assertThat(created(node, OptionalLong.empty())).isInstanceOf(Changed.Refused.class);
                assertThat(created(node, OptionalLong.of(51))).isInstanceOf(Changed.Done.class);
                assertThat(first(node, 1)).isEqualTo(51);
            }
        }
    }

    @Test
    void anEngineThatWasPutBackIsRefusedAlsoAfterOthersHaveGoneOnFromThere() throws Exception {
        try (EtcdServers etcd = etcd()) {
            Path backup = Files.createDirectory(folder.resolve("backup")).resolve("data");
            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertThat(first(node, 50)).isEqualTo(1);
            }
            etcd.get(0).kill();
            copy(etcdData(), backup);
            etcd.get(0).start();
            etcd.awaitLeader();
            long followed;
            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertThat(first(node, 50)).isEqualTo(51);
                followed = status(node).applied().value();
            }
            etcd.get(0).kill();
            remove(etcdData());
            copy(backup, etcdData());
            etcd.get(0).start();
            etcd.awaitLeader();

            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertRefuses(node, "give them their newest data");
                try (Node stranger = Node.start(onEtcd(etcd, "n2"))) { // what it does not know it cannot miss
                    awaitThat(
                            stranger,
                            status -> status.leads() && status.applied().value() > followed + 2);
                    awaitThat(
                            node,
                            status -> status.readiness() instanceof Readiness.NotReady(String why)
                                    && why.contains("others have gone on from there"));
                }
                assertThat(status(node).leads()).isFalse();
            }
            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertRefuses(node, "others have gone on from there");
            }
        }
    }

    @Test
    void whatANodeHasFollowedIsOnDiskWhileItRuns() throws Exception {
        try (EtcdServers etcd = etcd();
                Node node = Node.start(onEtcd(etcd, "n1"))) {
            assertThat(first(node, 1)).isEqualTo(1);
            long now = status(node).applied().value();

            await().atMost(PATIENCE)
                    .until(() -> MarkFile.of(
                                    folder.resolve("n1"), status(node).seat().seat())
                            .read()
                            .filter(mark -> mark.height().value() >= now)
                            .isPresent());
        }
    }

    @Test
    void aMarkThatIsDamagedIsNotTakenForNone() throws Exception {
        try (EtcdServers etcd = etcd()) {
            try (Node node = Node.start(onEtcd(etcd, "n1"))) {
                assertThat(first(node, 50)).isEqualTo(1);
            }
            Path mark = folder.resolve("n1/followed/ids.json");
            String whole = Files.readString(mark);

            for (String damaged : List.of("", "{", whole.replaceFirst("\"height\" : \\d+", "\"height\" : 1"))) {
                Files.writeString(mark, damaged);

                assertThatThrownBy(() -> Node.start(onEtcd(etcd, "n1")).close())
                        .isInstanceOfSatisfying(
                                NodeFailure.class,
                                failure -> assertThat(failure.code()).isEqualTo(ExitCode.DATA_FOLDER))
                        .hasMessageContaining("ids.json is damaged");
            }
        }
    }

    /** The engine is inside the node, and to begin a cluster of one it is allowed to be empty. */
    @Test
    void aRaftMemberThatLostItsStoreDoesNotBeginAgainByItself() throws Exception {
        String authority = "kind: raft, start: bootstrap, peers: {n1: \"127.0.0.1:"
                + TestCluster.freePorts(1).getFirst() + "\"}";
        NodeConfig config = config(folder, "n1", authority, "");
        try (Node node = Node.start(config)) {
            assertThat(first(node, 50)).isEqualTo(1);
        }
        try (Node node = Node.start(config)) {
            assertThat(first(node, 1)).isEqualTo(51);
        }
        remove(folder.resolve("n1").resolve("raft"));

        try (Node node = Node.start(config)) {
            assertRefuses(node, "up to height 0");
        }
    }

    @Test
    void redisThatWasWipedIsNotFoundedAgainInTheSameEra() throws Exception {
        try (RedisServers redis = RedisServers.start(3, folder)) {
            String authority =
                    "kind: redis, node-timeout: 400ms, nodes: [\"" + String.join("\", \"", redis.addresses()) + "\"]";
            NodeConfig config = config(folder, "n1", authority, "");
            RedisSeats.found(config);
            try (Node node = Node.start(config)) {
                assertThat(first(node, 50)).isEqualTo(1);
            }
            redis.all().forEach(server -> server.call("FLUSHALL"));

            assertThatThrownBy(() -> RedisSeats.found(config))
                    .hasMessageContaining("this node had followed it up to")
                    .hasMessageContaining("era: 2");

            NodeConfig next = config(folder, "n1", authority, ERA_2);
            RedisSeats.found(next);
            try (Node node = Node.start(next)) {
                assertThat(created(node, OptionalLong.of(51))).isInstanceOf(Changed.Done.class);
                assertThat(first(node, 1)).isEqualTo(51);
            }
        }
    }
}
