package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.baton.authority.redis.RedisAuthority;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.redis.testing.RedisServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What keeps a node from starting on real Redis servers: named in one message, and nothing is written there. */
@Timeout(120)
class RedisStartTest {

    @TempDir
    Path folder;

    private void refused(RedisServers servers, UnaryOperator<String> change, String... words) {
        List<String> before = RedisNodes.contents(servers);

        NodeFailure failure = catchThrowableOfType(
                NodeFailure.class,
                () -> Node.start(RedisNodes.config(folder, servers.addresses(), change))
                        .close());

        assertThat(failure).as("the node does not start").isNotNull();
        assertThat(failure.getMessage()).contains(words);
        assertThat(failure.code()).isEqualTo(ExitCode.ENGINE);
        assertThat(RedisNodes.contents(servers)).isEqualTo(before);
    }

    @Test
    void aSeatThatNobodyFoundedNamesTheCommandThatDoes() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            refused(servers, yaml -> yaml, "demo/blocks/1 is kept nowhere", "baton init");
        }
    }

    @Test
    void anotherClustersSeatsAreNamed() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            RedisSeats.found(RedisNodes.config(folder, servers.addresses(), yaml -> yaml));

            refused(
                    servers,
                    yaml -> yaml.replace("cluster: demo", "cluster: demos"),
                    "[demo/blocks/1]",
                    "cluster's name");
        }
    }

    @Test
    void aWrongPasswordIsToldApartFromAServerThatIsAway() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "wrong\n");
        try (RedisServers servers = RedisServers.start(1, folder, setup -> setup.password("right"))) {
            refused(
                    servers,
                    yaml -> yaml.replace("kind: redis", "kind: redis, password-file: " + password),
                    "WRONGPASS",
                    "authority.password");
            refused(servers, yaml -> yaml, "NOAUTH");
            Files.writeString(password, "right");
            refused(
                    servers,
                    yaml -> yaml.replace("kind: redis", "kind: redis, password-file: " + password),
                    "is kept nowhere");
        }
    }

    @Test
    void everyFaultOfEveryServerIsToldAtOnce() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            RedisServer evicting = servers.get(0);
            evicting.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            RedisServer strange = servers.get(1);
            strange.call("SET", "baton:{demo/blocks/1}:state", "mine");
            RedisServer replica = servers.get(2);
            replica.call("REPLICAOF", "127.0.0.1", "1");

            refused(
                    servers,
                    yaml -> yaml,
                    evicting.address() + ": maxmemory-policy allkeys-lru (expected: noeviction",
                    strange.address() + ": baton:{demo/blocks/1}:state: a string instead of a hash",
                    replica.address() + ": a read-only replica");
        }
    }

    @Test
    void aMinorityMayBeAwayButAMajorityMayNot() throws Exception {
        try (RedisServers servers = RedisServers.start(3, folder)) {
            RedisSeats.found(RedisNodes.config(folder, servers.addresses(), yaml -> yaml));
            servers.get(0).kill();
            try (Node node = Node.start(RedisNodes.config(folder, servers.addresses(), yaml -> yaml))) {
                RedisNodes.awaitHeightAbove(node, 3);
            }
            servers.get(1).kill();
            NodeFailure failure = catchThrowableOfType(
                    NodeFailure.class,
                    () -> Node.start(RedisNodes.config(folder, servers.addresses(), yaml -> yaml))
                            .close());
            assertThat(failure.code()).isEqualTo(ExitCode.ENGINE);
            assertThat(failure.getMessage())
                    .contains(servers.get(0).address(), servers.get(1).address(), "a majority of the nodes");
        }
    }

    /** After a power cut the node may be up before the Redis nodes are. */
    @Test
    void aMajorityThatIsOnItsWayIsWaitedFor() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger(RedisAuthority.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.list = new CopyOnWriteArrayList<>();
        said.start();
        log.setLevel(Level.WARN);
        log.addAppender(said);
        try (RedisServers servers = RedisServers.start(3, folder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RedisSeats.found(RedisNodes.config(folder, servers.addresses(), yaml -> yaml));
            servers.get(0).kill();
            servers.get(1).kill();

            Future<Node> starting =
                    threads.submit(() -> Node.start(RedisNodes.config(folder, servers.addresses(), yaml -> yaml)));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> starting.isDone()
                            || said.list.stream()
                                    .map(ILoggingEvent::getFormattedMessage)
                                    .anyMatch(line -> line.startsWith("waiting for a majority of the Redis nodes")
                                            && line.contains(servers.get(0).address())));
            servers.get(1).start();

            try (Node node = starting.get(60, TimeUnit.SECONDS)) {
                RedisNodes.awaitHeightAbove(node, 3);
            }
        } finally {
            log.detachAppender(said);
            log.setLevel(null); // what its parents have
        }
    }

    @Test
    void theProcessEndsWithTheCodeAndTheMessage() throws Exception {
        try (RedisServers servers = RedisServers.start(1, folder)) {
            Path file = Files.writeString(folder.resolve("node.yaml"), RedisNodes.yaml(servers.addresses()));
            expectEnd(file, ExitCode.ENGINE, "run baton init");
            Files.writeString(file, RedisNodes.yaml(servers.addresses()).replace("node-timeout: 400ms", "attempts: 0"));
            expectEnd(file, ExitCode.CONFIGURATION, "authority.attempts: 0");
            assertThat(servers.get(0).call("DBSIZE")).isEqualTo(0L);
        }
    }

    private void expectEnd(Path file, ExitCode code, String words) throws Exception {
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeMain.class.getName(),
                        file.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(err)).contains(words);
            assertThat(process.exitValue()).isEqualTo(code.number());
        } finally {
            process.destroyForcibly();
        }
    }
}
