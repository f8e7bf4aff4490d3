package dev.baton.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpContentException;
import io.netty.util.ReferenceCountUtil;

/**
 * Collects the parts of a request. One that is too large goes on without its body, to be refused when it is its turn, and
 * is the last of its connection.
 */
final class WholeRequests extends HttpObjectAggregator {

    private boolean overflowed;

    WholeRequests(int largestBody) {
        super(largestBody, true);
    }

    /** Whether that is why the request has no body. */
    static boolean isTooLarge(HttpRequest request) {
        return request.decoderResult().cause() instanceof TooLongHttpContentException;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (overflowed) {
            ReferenceCountUtil.release(message);
        } else {
            super.channelRead(ctx, message);
        }
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
        overflowed = true;
        if (oversized instanceof HttpRequest request) {
            var bare = new DefaultFullHttpRequest(request.protocolVersion(), request.method(), request.uri());
            bare.headers().set(request.headers());
            bare.setDecoderResult(DecoderResult.failure(new TooLongHttpContentException("larger than the limit")));
            ctx.fireChannelRead(bare);
        } else {
            var unused = ctx.close();
        }
    }
}
