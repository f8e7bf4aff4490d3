package dev.baton.sim;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.quorum.Network;
import dev.baton.seat.Loop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The ways of one simulated process to all Redis nodes. */
final class SimNetwork implements Network {

    private static final long TIMEOUT_NANOS = 100_000_000L;
    private static final long RECONNECT_NANOS = 300_000_000L;

    private final World world;
    private final SimProcess process;
    private final Map<String, SimLink> links = new LinkedHashMap<>();
    private final boolean readmitting;
    private @Nullable Consumer<News> listener;

    SimNetwork(World world, SimProcess process, boolean readmitting) {
        this.world = world;
        this.process = process;
        this.readmitting = readmitting;
    }

    /** Adds the way to one node, and connects. */
    void add(SimRedis redis, Way way) {
        SimLink link = new SimLink(redis, way);
        links.put(redis.address(), link);
        redis.subscribe(link.subscription);
        link.connectLater();
    }

    /** The process is gone; nobody listens any more. */
    void drop() {
        links.values().forEach(link -> link.redis.unsubscribe(link.subscription));
    }

    @Override
    public Link link(String address) {
        SimLink link = links.get(address);
        if (link == null) {
            throw new IllegalArgumentException(
                    "link: " + address + " (expected: one of " + links.keySet() + ", there are no others here)");
        }
        return link;
    }

    @Override
    public void listen(Consumer<News> told) {
        listener = told;
    }

    private void tell(News news) {
        if (listener != null) {
            listener.accept(news);
        }
    }

    private final class SimLink implements Link {

        private final SimRedis redis;
        private final Way way;
        private final Consumer<News.Kind> subscription = this::heard;
        private boolean connected;
        private boolean connecting;
        private String runId = "";

        SimLink(SimRedis redis, Way way) {
            this.redis = redis;
            this.way = way;
        }

        private void heard(News.Kind kind) {
            if (kind == News.Kind.CONNECTED) {
                connected = false; // the old connection went with the old process
                connectLater();
            } else if (connected) {
                way.news(() -> process.post(() -> tell(new News(redis.address(), kind))));
            }
        }

        private void connectLater() {
            if (!connecting) {
                connecting = true;
                process.schedule(process.nanos() + world.between(100_000, RECONNECT_NANOS), this::connect);
            }
        }

        private void connect() {
            connecting = false;
            if (redis.isUp() && way.isOpen()) {
                connected = true;
                runId = redis.runId();
                tell(new News(redis.address(), News.Kind.CONNECTED));
            } else {
                connectLater();
            }
        }

        @Override
        public String address() {
            return redis.address();
        }

        @Override
        public Fsync fsync() {
            return connected ? redis.fsync() : Fsync.LATER;
        }

        @Override
        public String runId() {
            return runId;
        }

        @Override
        public CompletionStage<Answer> ask(Ask ask, Lane lane) {
            if (!connected) {
                return CompletableFuture.completedStage(new Answer.Unsent("not connected"));
            }
            CompletableFuture<Answer> reply = new CompletableFuture<>();
            Loop.Timer timeout = process.schedule(
                    process.nanos() + TIMEOUT_NANOS, () -> reply.complete(new Answer.Lost("no answer within 100 ms")));
            Ask sent = readmitting ? Readmission.of(ask, redis) : ask;
            way.there(
                    lane,
                    () -> redis.take(
                            sent,
                            answer -> way.back(() -> process.post(() -> {
                                timeout.cancel();
                                reply.complete(answer);
                            }))));
            return reply;
        }
    }
}
