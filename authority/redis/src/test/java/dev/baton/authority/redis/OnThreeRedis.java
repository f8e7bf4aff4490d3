package dev.baton.authority.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.redis.quorum.QuorumSeat;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.authority.redis.quorum.Sequencer;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.authority.redis.testing.RedisServers;
import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Three real Redis processes with one founded seat, and processes that join it. */
abstract class OnThreeRedis {

    static final SeatId SEAT = SeatId.of("house", "blocks");
    static final Duration LEASE = Duration.ofSeconds(1);

    final List<AutoCloseable> open = new ArrayList<>();
    final RedisServers servers;

    OnThreeRedis(@TempDir Path dir) {
        servers = RedisServers.start(3, dir);
    }

    @BeforeEach
    void start() {
        found(settings(), SEAT);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable resource : open.reversed()) {
            resource.close();
        }
        servers.close();
    }

    static void found(RedisSettings settings, SeatId seat) {
        assertThat(Founding.found(settings, seat, "", RandomGenerator.getDefault()))
                .isInstanceOf(Founding.Outcome.Founded.class);
    }

    RedisSettings settings() {
        return RedisSettings.of(servers.addresses()).with(QuorumSettings.DEFAULT.withLease(LEASE));
    }

    QuorumSeat join() throws Exception {
        return join(settings());
    }

    QuorumSeat join(RedisSettings settings) throws Exception {
        RedisAuthority authority = RedisAuthority.open(settings, List.of(SEAT));
        open.add(authority);
        return authority.seat(SEAT);
    }

    static void until(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    static void commitUntil(Sequencer leader, String what, Callable<Boolean> condition) {
        until(what, () -> {
            leader.commit("on the way to: " + what);
            return condition.call();
        });
    }

    /** On a busy machine an answer or two come too late to be counted: what became of an entry is asked for until it is known. */
    static void awaitFenced(Sequencer replaced, Entry entry) {
        until("it learns that it is fenced", () -> {
            Appended outcome = replaced.offer(entry);
            assertThat(outcome).isNotInstanceOf(Appended.Committed.class);
            return outcome instanceof Appended.Fenced;
        });
    }

    String tipOn(int server) {
        return String.valueOf(servers.get(server).call("HGET", SeatKeys.of(SEAT).state(), "height"));
    }

    boolean hasHead(int server, Sequencer leader) {
        return tipOn(server).equals(leader.head().height().toString());
    }

    /** Hears when a follower is told that the seat is taken, and that it is free. */
    static final class Vacancies {
        private final CompletableFuture<Long> taken = new CompletableFuture<>();
        private final CompletableFuture<Long> vacated = new CompletableFuture<>();

        Vacancies(QuorumSeat follower) {
            follower.watch(event -> {
                if (event instanceof SeatEvent.Taken) {
                    taken.complete(System.nanoTime());
                } else if (event instanceof SeatEvent.Vacated && taken.isDone()) {
                    vacated.complete(System.nanoTime());
                }
            });
        }

        void awaitTaken() {
            Sequencer.await(taken);
        }

        long awaitVacated() {
            return Sequencer.await(vacated);
        }
    }
}
