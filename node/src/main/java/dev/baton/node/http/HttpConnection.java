package dev.baton.node.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection: requests one after the other, each answered by a thread that may block. */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be written or closed is gone already
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    /** A whole request must have come so soon after the answer before it; clients let go of idle connections before that. */
    private static final long REQUEST_WITHIN_SECONDS = 60;

    private final Routes routes;
    private final ExecutorService threads;
    private final Queue<FullHttpRequest> early = new ArrayDeque<>();
    private boolean busy;
    private @Nullable Future<?> patience;

    HttpConnection(Routes routes, ExecutorService threads) {
        super(false); // a request is let go by the thread that answers it
        this.routes = routes;
        this.threads = threads;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        awaitRequest(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stopWaiting();
        early.forEach(FullHttpRequest::release);
        early.clear();
    }

    private void awaitRequest(ChannelHandlerContext ctx) {
        patience = ctx.executor().schedule(() -> ctx.close(), REQUEST_WITHIN_SECONDS, TimeUnit.SECONDS);
    }

    private void stopWaiting() {
        if (patience != null) {
            patience.cancel(false);
            patience = null;
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (busy) { // it did not wait for the answer: no more is read until it is its turn
            early.add(request);
            ctx.channel().config().setAutoRead(false);
        } else {
            begin(ctx, request);
        }
    }

    private void begin(ChannelHandlerContext ctx, FullHttpRequest request) {
        stopWaiting();
        busy = true;
        try {
            threads.execute(() -> serve(ctx, request));
        } catch (RejectedExecutionException e) { // the listener is closing
            request.release();
            ctx.close();
        }
    }

    private void answered(ChannelHandlerContext ctx) {
        busy = false;
        FullHttpRequest next = early.poll();
        if (next != null) {
            begin(ctx, next);
        } else {
            awaitRequest(ctx);
            ctx.channel().config().setAutoRead(true);
        }
    }

    private void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean malformed = request.decoderResult().isFailure();
        boolean last;
        try {
            boolean head = request.method().equals(HttpMethod.HEAD);
            Answer answer = malformed ? refusal(request) : routes.answer(request);
            last = malformed || answer.status() == 413 || !HttpUtil.isKeepAlive(request);
            switch (answer) {
                case Answer.Whole whole -> ctx.writeAndFlush(whole(whole, head, !last));
                case Answer.Stream stream -> last = stream(ctx, stream, request, head) || last;
            }
        } finally {
            request.release();
        }
        if (malformed) { // more of it may be on its way
            LastAnswer.after(ctx.writeAndFlush(Unpooled.EMPTY_BUFFER));
        } else if (last) {
            ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else {
            ctx.executor().execute(() -> answered(ctx));
        }
    }

    private Answer refusal(FullHttpRequest request) {
        return WholeRequests.isTooLarge(request)
                ? routes.tooLarge(request)
                : Answer.error(400, "not understood: " + request.decoderResult().cause());
    }

    /** Whether nothing can come after it on this connection: its client has left, or only the end tells the end. */
    private static boolean stream(
            ChannelHandlerContext ctx, Answer.Stream stream, FullHttpRequest request, boolean head) {
        HttpResponse response =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(stream.status()));
        boolean chunked = request.protocolVersion().isKeepAliveDefault();
        describe(response, stream, chunked && HttpUtil.isKeepAlive(request));
        HttpUtil.setTransferEncodingChunked(response, chunked);
        ctx.write(response);
        if (!head) {
            try (SentStream out = new SentStream(ctx)) {
                stream.writer().write(out);
            } catch (IOException e) {
                LOG.debug("the reader of {} left: {}", request.uri(), e.toString());
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            }
        }
        ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        return !chunked;
    }

    static FullHttpResponse whole(Answer.Whole answer, boolean head, boolean goesOn) {
        byte[] body = answer.body().toArray();
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        describe(response, answer, goesOn);
        answer.headers().forEach(response.headers()::set);
        if (answer.status() != 204 && answer.status() != 304) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length); // of HEAD: what GET would have sent
        }
        return response;
    }

    private static void describe(HttpResponse response, Answer answer, boolean goesOn) {
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        response.headers().set("X-Content-Type-Options", "nosniff");
        if (!answer.contentType().isEmpty()) {
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
        }
        if (!goesOn) {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("a connection ends: {}", cause.toString()); // the client left, or never spoke HTTP or TLS
        ctx.close();
    }
}
