package dev.baton.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection whose client may still be sending, without taking the last answer from it.
 *
 * <p>If the connection were closed at once, the system would reset it over what still comes, and the client's system would
 * throw away the answer that its program has not read yet. So only our direction is closed, and what comes is thrown away
 * until the client closes, too, or has had its time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be closed is gone already
final class LastAnswer extends ChannelInboundHandlerAdapter {

    private static final long READ_WITHIN_SECONDS = 10;

    private LastAnswer() {}

    /** Ends it once the answer is out. */
    static void after(ChannelFuture written) {
        written.addListener(done -> {
            if (done.isSuccess()) {
                end(written.channel());
            } else {
                written.channel().close();
            }
        });
    }

    private static void end(Channel channel) {
        channel.pipeline().addFirst(new LastAnswer());
        channel.eventLoop().schedule(() -> channel.close(), READ_WITHIN_SECONDS, TimeUnit.SECONDS);
        channel.config().setAutoRead(true);
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            endSending(channel);
        } else {
            tls.closeOutbound().addListener(told -> endSending(channel));
        }
    }

    private static void endSending(Channel channel) {
        if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        } else {
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }
}
