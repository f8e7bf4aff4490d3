package dev.baton.proxy;

import dev.baton.proxy.ProxyMetrics.Outcome;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A client's connection: one request after the other, in the order in which they came. */
final class HttpFront extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final HttpRoute route;
    private @Nullable HttpJourney journey;

    /** Requests that came along with the one under way: what a single read brings, and the rest of the last of them. */
    private final Deque<FullHttpRequest> ahead = new ArrayDeque<>();

    HttpFront(HttpRoute route) {
        this.route = route;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.read();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        request.retain();
        if (journey == null) {
            begin(context, request);
        } else {
            ahead.add(request);
        }
    }

    private void begin(ChannelHandlerContext context, FullHttpRequest request) {
        HttpJourney begun =
                new HttpJourney(route, context.channel(), request, route.isDraining(), () -> answered(context));
        journey = begun;
        route.began(begun);
        if (WholeRequests.isTooLarge(request)) {
            begun.refuse(
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    Outcome.REFUSED,
                    "a body of more than " + route.largestBody() + " bytes (expected: at most as many)");
        } else if (!request.decoderResult().isSuccess()) {
            begun.refuse(
                    HttpResponseStatus.BAD_REQUEST,
                    Outcome.REFUSED,
                    "this is no HTTP request: " + request.decoderResult().cause());
        } else if (Paths.isAdmin(request.uri())) {
            begun.refuse(
                    HttpResponseStatus.FORBIDDEN,
                    Outcome.REFUSED,
                    "the Admin Control API is not passed on (expected: calls to the node's own admin listener)");
        } else if (request.method().equals(HttpMethod.CONNECT) || isUpgrade(request)) {
            begun.refuse(
                    HttpResponseStatus.NOT_IMPLEMENTED,
                    Outcome.REFUSED,
                    "CONNECT and Upgrade are not passed on (expected: a connection to the proxy's tcp listener)");
        } else {
            begun.setOut();
        }
    }

    private void answered(ChannelHandlerContext context) {
        journey = null;
        FullHttpRequest next = ahead.poll();
        if (next != null) {
            begin(context, next);
        } else {
            context.read();
        }
    }

    private static boolean isUpgrade(FullHttpRequest request) {
        return request.headers().contains(HttpHeaderNames.UPGRADE)
                && request.headers().containsValue(HttpHeaderNames.CONNECTION, "upgrade", true);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (journey != null) {
            journey.throttle();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (journey != null) {
            journey.clientGone();
        }
        ahead.forEach(FullHttpRequest::release);
        ahead.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
