package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.quorum.Network;
import dev.baton.authority.redis.script.Replies;
import dev.baton.authority.redis.script.ScriptCalls;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One seat's ways to all nodes. */
final class LettuceNetwork implements Network {

    private static final Logger LOG = LoggerFactory.getLogger(LettuceNetwork.class);

    private final Function<String, RedisNode> nodes;
    private final String seatKey;
    private final ScriptCalls calls;
    private final Replies replies;
    private final Duration nodeTimeout;
    private final Map<String, Way> ways = new ConcurrentHashMap<>();
    private final List<Consumer<News>> listeners = new CopyOnWriteArrayList<>();

    private record Way(RedisNode node, Link link) {}

    LettuceNetwork(SeatId seat, Duration nodeTimeout, Function<String, RedisNode> nodes) {
        this.nodes = nodes;
        this.seatKey = SeatKeys.of(seat).seat();
        this.calls = new ScriptCalls(seat);
        this.replies = new Replies(seat);
        this.nodeTimeout = nodeTimeout;
    }

    @Override
    public Link link(String address) {
        Way known = ways.get(address);
        if (known != null) {
            return known.link();
        }
        RedisNode node = nodes.apply(address);
        Way created = new Way(node, new LettuceLink(node, calls, replies, nodeTimeout));
        Way raced = ways.putIfAbsent(address, created);
        if (raced != null) {
            return raced.link();
        }
        node.attach(seatKey, this);
        return created.link();
    }

    /** Whoever begins to listen late is told at once which nodes are there. */
    @Override
    public void listen(Consumer<News> listener) {
        listeners.add(listener);
        ways.values().stream()
                .filter(way -> way.node().isReachable())
                .forEach(way -> tell(listener, new News(way.node().address(), News.Kind.CONNECTED)));
    }

    void tell(News news) {
        listeners.forEach(listener -> tell(listener, news));
    }

    private static void tell(Consumer<News> listener, News news) {
        try {
            listener.accept(news);
        } catch (RuntimeException e) {
            LOG.error("A listener failed on {}", news, e);
        }
    }
}
