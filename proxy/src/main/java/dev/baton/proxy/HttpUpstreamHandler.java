package dev.baton.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/** The end of a connection to a node, which serves one journey after the other. */
final class HttpUpstreamHandler extends ChannelInboundHandlerAdapter {

    private static final AttributeKey<HttpUpstreamHandler> KEY = AttributeKey.valueOf("baton-upstream");

    private final HttpPool pool;
    private @Nullable HttpJourney journey;
    private boolean keepAlive = true;
    private boolean informational;

    HttpUpstreamHandler(HttpPool pool, Channel channel) {
        this.pool = pool;
        channel.attr(KEY).set(this);
    }

    static void serve(Channel channel, HttpJourney journey) {
        channel.attr(KEY).get().journey = journey;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        HttpJourney served = journey;
        if (served == null) {
            ReferenceCountUtil.release(message);
            var unused = context.close(); // an answer that nobody asked for
            return;
        }
        if (message instanceof HttpResponse response) {
            informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            keepAlive = informational || keepsAlive(response);
            served.head(response);
        }
        if (message instanceof HttpContent content) {
            if (content instanceof LastHttpContent && !informational) {
                journey = null;
                finished(context.channel());
            }
            if (informational) {
                content.release();
            } else {
                served.content(content);
            }
        } else if (!(message instanceof HttpResponse)) {
            ReferenceCountUtil.release(message);
        }
    }

    private static boolean keepsAlive(HttpMessage response) {
        return HttpUtil.isKeepAlive(response)
                && (HttpUtil.isContentLengthSet(response) || HttpUtil.isTransferEncodingChunked(response));
    }

    private void finished(Channel channel) {
        channel.config().setAutoRead(true);
        if (keepAlive) {
            pool.give(channel);
        } else {
            var unused = channel.close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (journey != null) {
            journey.flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        pool.gone(context.channel());
        HttpJourney served = journey;
        journey = null;
        if (served != null) {
            served.broken();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
