package dev.baton.node.http;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;

/** Collects the parts of a request; one that is too large is refused in our words before it is read. */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be written or closed is gone already
final class WholeRequests extends HttpObjectAggregator {

    private final Routes routes;

    WholeRequests(Routes routes) {
        super(Math.max(1, routes.largestBody()));
        this.routes = routes;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
        if (oversized instanceof HttpRequest request && routes.tooLarge(request) instanceof Answer.Whole refusal) {
            ctx.writeAndFlush(HttpConnection.whole(refusal, false, false)).addListener(ChannelFutureListener.CLOSE);
        } else {
            ctx.close();
        }
    }
}
