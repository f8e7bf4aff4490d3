package dev.baton.proxy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What load balancers, Prometheus and people ask the proxy itself, on a port of its own. */
final class HealthPages implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String JSON_TYPE = "application/json; charset=utf-8";

    /** How the proxy is. */
    record Health(boolean draining, View view, int waiting, int underWay) {
        /** Without a holder it is as ready as ever: it holds requests, as every other proxy would have to. */
        boolean ready() {
            return !draining && (view.holder().isPresent() || !view.ready().isEmpty());
        }
    }

    private record Page(int status, String type, String body) {}

    private final Supplier<Health> health;
    private final Supplier<String> metrics;
    private final String seat;
    private final Channel listener;

    HealthPages(
            Transport transport,
            InetSocketAddress address,
            String seat,
            Supplier<Health> health,
            Supplier<String> metrics)
            throws IOException {
        this.health = health;
        this.metrics = metrics;
        this.seat = seat;
        this.listener = Listeners.bind(
                new ServerBootstrap()
                        .group(transport.loops())
                        .channel(transport.server())
                        .childHandler(new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                channel.pipeline()
                                        .addLast(new HttpServerCodec())
                                        .addLast(new HttpObjectAggregator(1 << 10))
                                        .addLast(new Answers());
                            }
                        }),
                "health",
                address);
    }

    InetSocketAddress address() {
        return Listeners.address(listener);
    }

    private Page page(String path) {
        Health now = health.get();
        return switch (path) {
            case "/live" -> json(200, Map.of("live", true));
            case "/ready" -> json(now.ready() ? 200 : 503, status(now));
            case "/holder" -> json(now.view().holder().isPresent() ? 200 : 503, status(now));
            case "/status" -> json(200, status(now));
            case "/metrics" -> new Page(200, "text/plain; version=0.0.4; charset=utf-8", metrics.get());
            default -> json(404, Map.of("error", path + " (expected: /live, /ready, /holder, /status or /metrics)"));
        };
    }

    private Map<String, @Nullable Object> status(Health now) {
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("seat", seat);
        status.put("holder", now.view().holder().map(Upstream::node).orElse(null));
        status.put("epoch", now.view().epoch());
        status.put("followers", now.view().ready().stream().map(Upstream::node).toList());
        status.put("ready", now.ready());
        status.put("draining", now.draining());
        status.put("waiting", now.waiting());
        status.put("underWay", now.underWay());
        return status;
    }

    private static Page json(int status, Object body) {
        try {
            return new Page(status, JSON_TYPE, JSON.writeValueAsString(body) + "\n");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of plain values is JSON", e);
        }
    }

    private final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            boolean isRead =
                    request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
            Page page = isRead
                    ? page(Paths.withoutQuery(request.uri()))
                    : json(405, Map.of("error", request.method() + " (expected: GET or HEAD)"));
            byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
            var response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(page.status()), Unpooled.wrappedBuffer(body));
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, page.type());
            response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
            HttpUtil.setContentLength(response, body.length);
            boolean keepAlive = HttpUtil.isKeepAlive(request);
            HttpUtil.setKeepAlive(response, keepAlive);
            ChannelFuture written = context.writeAndFlush(response);
            if (!keepAlive) {
                var unused = written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
    }
}
