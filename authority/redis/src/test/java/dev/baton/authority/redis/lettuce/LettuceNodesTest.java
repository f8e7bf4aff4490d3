package dev.baton.authority.redis.lettuce;

import static dev.baton.authority.redis.quorum.Network.News.Kind.CONNECTED;
import static dev.baton.authority.redis.quorum.Network.News.Kind.FREED;
import static dev.baton.authority.redis.quorum.Network.News.Kind.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.redis.Login;
import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.TlsFiles;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.authority.tck.Certificates;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way to a real Redis: what it answers, what is lost, what was never sent, and what it tells unasked. */
final class LettuceNodesTest {

    @TempDir
    private Path dir;

    @Test
    void asksAreAnsweredOnBothLanes() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.found(Fsync.ALWAYS);
            Entry first = SeatAtNode.entry(Head.GENESIS, 100);
            assertThat(seat.ask(SeatAtNode.append(first))).isEqualTo(new Answer.Accepted());

            await().untilAsserted(() -> assertThat(SeatAtNode.answerOf(
                            seat.link().ask(SeatAtNode.range(), Link.Lane.BULK).toCompletableFuture()))
                    .isInstanceOfSatisfying(
                            Answer.Entries.class,
                            page -> assertThat(page.entries()).containsExactly(first)));
            assertThat(seat.link().fsync()).isEqualTo(Fsync.ALWAYS);
        }
    }

    @Test
    void nodeThatForgotTheScriptsIsToldThemAgain() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.found(Fsync.ALWAYS);
            redis.call("SCRIPT", "FLUSH");

            assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Seen.class);
        }
    }

    @Test
    void restartedNodeIsConnectedAgainAndKnowsWhatItSaid() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.found(Fsync.ALWAYS);
            redis.kill();
            await().untilAsserted(() -> assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Unsent.class));
            redis.start();
            seat.awaitHeard(CONNECTED, 2);

            assertThat(seat.ask(SeatAtNode.peek())).isEqualTo(new Answer.Unsent("restarted, and not recognised yet"));
            assertThat(seat.ask(new Ask.Recognise(seat.link().fsync()))).isInstanceOf(Answer.Seen.class);
            assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Seen.class);
        }
    }

    @Test
    void nodeThatSyncsLaterIsBlankAfterRestart() {
        try (RedisServer redis = RedisServer.in(dir).appendfsync("everysec").start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.awaitConnected();
            assertThat(seat.link().fsync()).isEqualTo(Fsync.LATER);
            seat.found(seat.link().fsync());
            redis.restart();
            seat.awaitHeard(CONNECTED, 2);

            assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Blank.class);
            assertThat(seat.ask(new Ask.Recognise(Fsync.ALWAYS))).isInstanceOf(Answer.Blank.class);
        }
    }

    /** The run id that goes with an append is the one of its own connection: the state still names the process before. */
    @Test
    void nextEntryIsNotTakenByAnotherProcessThanTheOneThatWasMet() {
        try (RedisServer redis = RedisServer.in(dir).appendfsync("everysec").start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.awaitConnected();
            seat.found(seat.link().fsync());
            Entry first = SeatAtNode.entry(Head.GENESIS, 10);
            Entry second = SeatAtNode.entry(first.asHead(), 10);
            assertThat(seat.ask(SeatAtNode.append(first))).isInstanceOf(Answer.Accepted.class);
            assertThat(seat.ask(SeatAtNode.append(second))).isInstanceOf(Answer.Accepted.class);
            redis.restart();
            seat.awaitHeard(CONNECTED, 2);

            Entry third = SeatAtNode.entry(second.asHead(), 10);
            assertThat(seat.ask(SeatAtNode.append(third))).isInstanceOf(Answer.Blank.class);
        }
    }

    @Test
    void changedFsyncIsSeenWhileConnected() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.awaitConnected();
            assertThat(seat.link().fsync()).isEqualTo(Fsync.ALWAYS);
            redis.call("CONFIG", "SET", "appendfsync", "everysec");

            await().atMost(Duration.ofSeconds(15))
                    .untilAsserted(() -> assertThat(seat.link().fsync()).isEqualTo(Fsync.LATER));
        }
    }

    @Test
    void pausedNodeLosesAsksInTimeThenIsGivenUpAndComesBack() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address(), Duration.ofSeconds(1))) {
            seat.found(Fsync.ALWAYS);
            redis.pause();

            long sent = System.nanoTime();
            Answer lost = seat.ask(SeatAtNode.append(SeatAtNode.entry(Head.GENESIS, 10)));
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent);
            assertThat(lost)
                    .isInstanceOfSatisfying(
                            Answer.Lost.class,
                            answer -> assertThat(answer.why()).contains("no answer within"));
            assertThat(tookMillis).isBetween(1000L, 5000L);

            await().untilAsserted(() -> assertThat(seat.ask(SeatAtNode.peek()))
                    .isInstanceOfSatisfying(
                            Answer.Unsent.class,
                            answer -> assertThat(answer.why()).contains("silent")));
            redis.resume();
            seat.awaitHeard(CONNECTED, 2);
            assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Seen.class);
        }
    }

    @Test
    void floodTowardsPausedNodeIsBounded() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.found(Fsync.ALWAYS);
            redis.pause();

            List<CompletableFuture<Answer>> small = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                small.add(seat.send(SeatAtNode.peek()));
            }
            assertThat(small.stream().filter(answer -> !answer.isDone())).hasSize(Line.Limits.EXPRESS.asks());
            assertThat(SeatAtNode.answerOf(small.getLast()))
                    .isInstanceOfSatisfying(
                            Answer.Unsent.class,
                            answer -> assertThat(answer.why()).contains("64 asks wait already"));

            redis.resume();
            small.forEach(SeatAtNode::answerOf);
            for (int i = 0; i < 10; i++) { // what was answered does not wait any more
                seat.ask(SeatAtNode.append(SeatAtNode.entry(Head.GENESIS, 1 << 20)));
            }
            redis.pause();
            List<CompletableFuture<Answer>> large = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                large.add(seat.send(SeatAtNode.append(SeatAtNode.entry(Head.GENESIS, 1 << 20))));
            }
            assertThat(large.stream().filter(answer -> !answer.isDone())).hasSize(7);
            assertThat(SeatAtNode.answerOf(large.getLast()))
                    .isInstanceOfSatisfying(
                            Answer.Unsent.class,
                            answer -> assertThat(answer.why()).contains("bytes wait already"));
            redis.resume();
        }
    }

    @Test
    void askLostWithItsNodeIsNeverSentAgain() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.found(Fsync.ALWAYS);
            redis.pause();
            CompletableFuture<Answer> onItsWay = seat.send(SeatAtNode.peek());
            redis.kill();

            assertThat(SeatAtNode.answerOf(onItsWay)).isInstanceOf(Answer.Lost.class);
            await().untilAsserted(() -> assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Unsent.class));
        }
    }

    /** A Redis that is full refuses what grows, half-writes nothing, and still lets go and trims. */
    @Test
    void fullNodeRefusesToGrowButTrimsAndResigns() {
        try (RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.found(Fsync.ALWAYS);
            Entry first = SeatAtNode.entry(Head.GENESIS, 1000);
            Entry second = SeatAtNode.entry(first.asHead(), 1000);
            assertThat(seat.ask(SeatAtNode.append(first))).isEqualTo(new Answer.Accepted());
            assertThat(seat.ask(SeatAtNode.append(second))).isEqualTo(new Answer.Accepted());
            redis.call("CONFIG", "SET", "maxmemory", "100000");

            assertThat(seat.ask(SeatAtNode.append(SeatAtNode.entry(second.asHead(), 1000))))
                    .isInstanceOfSatisfying(
                            Answer.Unsent.class,
                            answer -> assertThat(answer.why()).contains("OOM"));
            assertThat(seat.ask(SeatAtNode.peek()))
                    .isInstanceOfSatisfying(
                            Answer.Seen.class,
                            seen -> assertThat(seen.sight().head()).isEqualTo(second.asHead()));
            assertThat(seat.ask(new Ask.Trim(SeatAtNode.MEMBER, SeatAtNode.SEATING.term(), second.height())))
                    .isEqualTo(new Answer.Trimmed(second.height()));
            assertThat(seat.ask(new Ask.Resign(SeatAtNode.MEMBER, SeatAtNode.SEATING.term(), true)))
                    .isEqualTo(new Answer.Done());
            assertThat(seat.ask(SeatAtNode.peek())).isInstanceOfSatisfying(Answer.Seen.class, seen -> {
                assertThat(seen.sight().seat()).isEmpty();
                assertThat(seen.sight().ended())
                        .isEqualTo(SeatAtNode.SEATING.term().epoch());
                assertThat(seen.sight().oldest()).isEqualTo(second.height());
            });
        }
    }

    @Test
    void deafNodeIsTriedOneConnectionAtATimeAndCostsOthersNothing() throws Exception {
        try (DeafServer deaf = new DeafServer();
                RedisServer redis = RedisServer.in(dir).start();
                SeatAtNode seat = new SeatAtNode(RedisSettings.of(List.of(redis.address(), deaf.address()))
                        .withNodeTimeout(Duration.ofSeconds(10)))) {
            seat.found(Fsync.ALWAYS);
            await().atMost(Duration.ofSeconds(20)).until(() -> deaf.accepted() >= 3);

            assertThat(deaf.mostAtOnce()).isEqualTo(1);
            for (int i = 0; i < 2000; i++) {
                Answer answer = SeatAtNode.answerOf(seat.link(deaf.address())
                        .ask(SeatAtNode.peek(), Link.Lane.EXPRESS)
                        .toCompletableFuture());
                assertThat(answer).isInstanceOf(Answer.Unsent.class);
                assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Seen.class);
            }
        }
    }

    @Test
    void wrongPasswordIsNamed() {
        try (RedisServer redis = RedisServer.in(dir).password("right").start()) {
            RedisSettings none = SeatAtNode.patient(redis.address());
            try (SeatAtNode seat = new SeatAtNode(none.with(new Login(Optional.empty(), "wrong")))) {
                awaitUnsent(seat, "WRONGPASS");
            }
            try (SeatAtNode seat = new SeatAtNode(none)) {
                awaitUnsent(seat, "NOAUTH");
            }
            try (SeatAtNode seat = new SeatAtNode(none.with(new Login(Optional.empty(), "right")))) {
                seat.found(Fsync.ALWAYS);
            }
        }
    }

    @Test
    void userWithFewRightsIsEnoughButItsDiskIsNotTrusted() {
        try (RedisServer redis = RedisServer.in(dir).start()) {
            redis.call(
                    "ACL",
                    "SETUSER",
                    "baton",
                    "on",
                    ">secret",
                    "~baton:*",
                    "&__keyevent@0__:*",
                    "+@connection",
                    "+@read",
                    "+@write",
                    "+@pubsub",
                    "+@scripting",
                    "+@keyspace",
                    "+info");
            redis.call("CONFIG", "SET", "notify-keyspace-events", "Exg");
            Login login = new Login(Optional.of("baton"), "secret");
            try (SeatAtNode seat =
                    new SeatAtNode(SeatAtNode.patient(redis.address()).with(login))) {
                seat.found(Fsync.LATER);
                assertThat(seat.link().fsync()).isEqualTo(Fsync.LATER);
                awaitEventsArrive(seat);
            }
        }
    }

    @Test
    void replicaIsNotUsed() {
        try (RedisServer master = RedisServer.in(dir.resolve("master")).start();
                RedisServer replica = RedisServer.in(dir.resolve("replica"))
                        .option("replicaof", "127.0.0.1 " + master.port())
                        .start();
                SeatAtNode seat = SeatAtNode.at(replica.address())) {
            awaitUnsent(seat, "read-only replica");
        }
    }

    @Test
    void eventsTellOfSeatTakenGivenUpAndExpired() {
        try (RedisServer redis = RedisServer.in(dir)
                        .option("notify-keyspace-events", "Kl")
                        .start();
                SeatAtNode seat = SeatAtNode.at(redis.address())) {
            seat.found(Fsync.ALWAYS);
            assertThat(String.valueOf(redis.call("CONFIG", "GET", "notify-keyspace-events")))
                    .contains("K", "l", "E", "x", "g");
            awaitEventsArrive(seat);

            long freed = seat.heard(FREED);
            long renewed = seat.heard(RENEWED);
            assertThat(seat.ask(SeatAtNode.append(SeatAtNode.entry(Head.GENESIS, 1))))
                    .isEqualTo(new Answer.Accepted());
            seat.awaitHeard(RENEWED, renewed + 1);
            assertThat(seat.ask(SeatAtNode.promote(Duration.ofMillis(50)))).isInstanceOf(Answer.Granted.class);
            seat.awaitHeard(FREED, freed + 1); // expired
            assertThat(seat.ask(SeatAtNode.append(SeatAtNode.entry(Head.GENESIS, 1))))
                    .isEqualTo(new Answer.Accepted());
            assertThat(seat.ask(new Ask.Resign(SeatAtNode.MEMBER, SeatAtNode.SEATING.term(), true)))
                    .isEqualTo(new Answer.Done());
            seat.awaitHeard(FREED, freed + 2); // given up
        }
    }

    @Test
    void tlsIsSpokenWithThoseWhoHaveTheCertificates() throws Exception {
        Certificates ours = new Certificates(dir.resolve("ours"));
        Certificates theirs = new Certificates(dir.resolve("theirs"));
        try (RedisServer redis = RedisServer.in(dir.resolve("redis"))
                .tls(ours.key(), ours.certificate(), ours.authority())
                .start()) {
            RedisSettings plain = SeatAtNode.patient(redis.tlsAddress());
            try (SeatAtNode seat = new SeatAtNode(plain.with(new TlsFiles(ours.authority(), shown(ours))))) {
                seat.found(Fsync.ALWAYS);
                awaitEventsArrive(seat);
            }
            // We do not trust the server; it does not trust us; we show it nothing.
            awaitNeverConnected(plain.with(new TlsFiles(theirs.authority(), shown(ours))));
            awaitNeverConnected(plain.with(new TlsFiles(ours.authority(), shown(theirs))));
            awaitNeverConnected(plain.with(new TlsFiles(ours.authority(), Optional.empty())));
        }
    }

    @Test
    void closingTellsWhoeverWaitsAndLeavesNoThread() {
        try (RedisServer redis = RedisServer.in(dir).start()) {
            SeatAtNode seat = SeatAtNode.at(redis.address());
            seat.found(Fsync.ALWAYS);
            redis.pause();
            CompletableFuture<Answer> waiting = seat.send(SeatAtNode.peek());
            seat.close();

            assertThat(SeatAtNode.answerOf(waiting)).isInstanceOf(Answer.Lost.class);
            assertThat(seat.ask(SeatAtNode.peek())).isInstanceOf(Answer.Unsent.class);
            await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("lettuce") || name.startsWith("baton-redis")));
        }
    }

    /** Nothing times out by itself. */
    private static Optional<TlsFiles.ClientFiles> shown(Certificates certificates) {
        return Optional.of(new TlsFiles.ClientFiles(certificates.key(), certificates.certificate()));
    }

    /** Events may be lost while the ears are still connecting, so the seat is renewed until one arrives. */
    private static void awaitEventsArrive(SeatAtNode seat) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(seat.ask(SeatAtNode.promote(Duration.ofSeconds(30)))).isInstanceOf(Answer.Granted.class);
            assertThat(seat.heard(RENEWED)).isPositive();
        });
    }

    private static void awaitUnsent(SeatAtNode seat, String why) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(seat.ask(SeatAtNode.peek()))
                        .isInstanceOfSatisfying(
                                Answer.Unsent.class,
                                answer -> assertThat(answer.why()).contains(why)));
    }

    /** It was tried, and failed. */
    private static void awaitNeverConnected(RedisSettings settings) {
        try (SeatAtNode seat = new SeatAtNode(settings)) {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(seat.ask(SeatAtNode.peek()))
                            .isInstanceOfSatisfying(
                                    Answer.Unsent.class,
                                    answer -> assertThat(answer.why()).doesNotContain("not connected yet")));
            assertThat(seat.heard(CONNECTED)).isZero();
        }
    }
}
