package dev.baton.proxy;

import dev.baton.proxy.ProxyMetrics.Outcome;
import dev.baton.proxy.ProxyMetrics.Route;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One HTTP request, from the client's connection to a node and back; everything on the client's event loop. */
final class HttpJourney extends Journey {

    static final String SERVED_BY = "X-Baton-Served-By";
    static final String HELD_MILLIS = "X-Baton-Held-Millis";
    static final String ROLE = "X-Baton-Role";

    /** On a node's 503: whether it is certain that nothing was done. */
    private static final String OUTCOME = "Baton-Outcome";

    private final HttpRoute route;
    private final Channel client;
    private final FullHttpRequest request;
    private final Runnable answered;
    private final boolean mayRepeat;
    private final boolean isRead;
    /** Whether the client may go on sending what nobody reads as a request. */
    private final boolean mayStillCome;

    private final boolean keepAlive;
    private @Nullable Channel upstream;
    private @Nullable Upstream target;
    private View seen = View.NOTHING;
    private boolean answering;
    private boolean discarding;
    private int readAttempts;

    /**
     * A journey that is to begin.
     *
     * @param request released when the journey is over
     * @param closing whether the client's connection ends with the answer
     * @param answered what to do when the answer is out and the connection goes on; on the client's event loop
     */
    HttpJourney(HttpRoute route, Channel client, FullHttpRequest request, boolean closing, Runnable answered) {
        super(route.around(), Route.HTTP, client.eventLoop());
        this.route = route;
        this.client = client;
        this.request = request;
        this.answered = answered;
        this.mayStillCome = request.decoderResult().isFailure();
        this.keepAlive = HttpUtil.isKeepAlive(request) && !closing && !mayStillCome;
        this.mayRepeat = route.replay().mayRepeat(request);
        this.isRead = route.isRead(request);
    }

    /** A read goes to a follower that is ready, any of them, unless the last one did not answer. */
    @Override
    Optional<Upstream> elsewhere(View view) {
        List<Upstream> ready = view.ready();
        if (!isRead || ready.isEmpty() || readAttempts > ready.size()) {
            return Optional.empty();
        }
        readAttempts++;
        return Optional.of(ready.get(ThreadLocalRandom.current().nextInt(ready.size())));
    }

    @Override
    void attempt(Upstream node, View view) {
        if (!client.isActive()) {
            forget(Outcome.FAILED);
            return;
        }
        target = node;
        seen = view;
        discarding = false;
        InetSocketAddress address = node.http().orElseThrow();
        route.pool(client.eventLoop()).take(address, this::send, failure -> again(view));
    }

    private void send(Channel connection) {
        if (hasEnded()) {
            route.pool(client.eventLoop()).give(connection);
            return;
        }
        upstream = connection;
        HttpUpstreamHandler.serve(connection, this);
        var unused = connection.writeAndFlush(forwarded());
    }

    private FullHttpRequest forwarded() {
        var copy = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                request.method(),
                request.uri(),
                request.content().retainedDuplicate());
        copy.headers().set(request.headers());
        Hops.strip(copy.headers());
        if (client.remoteAddress() instanceof InetSocketAddress from) {
            copy.headers().add("X-Forwarded-For", from.getAddress().getHostAddress());
        }
        if (request.content().isReadable() || !request.method().equals(HttpMethod.GET)) {
            HttpUtil.setContentLength(copy, request.content().readableBytes());
        }
        return copy;
    }

    /** The node's answer begins. */
    void head(HttpResponse response) {
        if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            return;
        }
        if (isElsewhere(response)) {
            discarding = true;
            return;
        }
        answering = true;
        boolean delimited = HttpUtil.isContentLengthSet(response)
                || HttpUtil.isTransferEncodingChunked(response)
                || request.method().equals(HttpMethod.HEAD)
                || response.status().equals(HttpResponseStatus.NO_CONTENT)
                || response.status().equals(HttpResponseStatus.NOT_MODIFIED);
        boolean chunked = HttpUtil.isTransferEncodingChunked(response) || !delimited;
        Hops.strip(response.headers());
        if (chunked) {
            HttpUtil.setTransferEncodingChunked(response, true);
        }
        response.setProtocolVersion(HttpVersion.HTTP_1_1);
        if (target != null) {
            response.headers().set(SERVED_BY, target.node());
            response.headers().set(ROLE, seen.isHeldBy(target) ? "holder" : "follower");
        }
        response.headers().set(HELD_MILLIS, heldMillis());
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        var unused = client.write(response);
    }

    /** Whether the node says that another one must be asked, and asking that one does no harm. */
    private boolean isElsewhere(HttpResponse response) {
        if (!response.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            return false;
        }
        String outcome = response.headers().get(OUTCOME, "");
        return outcome.equals("not-done") || (outcome.equals("unknown") && mayRepeat);
    }

    void content(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        if (discarding || !answering) {
            ReferenceCountUtil.release(content);
            if (last && discarding) {
                upstream = null;
                again(seen);
            }
            return;
        }
        if (!last) {
            var unused = client.write(content);
            throttle();
            return;
        }
        upstream = null;
        ChannelFuture written = client.writeAndFlush(content);
        forget(Outcome.PASSED);
        if (keepAlive) {
            answered.run();
        } else {
            var unused = written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    void flush() {
        if (answering) {
            client.flush();
        }
    }

    /** Lets the node send no faster than the client takes. */
    void throttle() {
        if (upstream != null) {
            upstream.config().setAutoRead(client.isWritable());
        }
    }

    /** The node's connection is gone before its answer was complete. */
    void broken() {
        upstream = null;
        if (hasEnded()) {
            return;
        }
        if (answering) {
            forget(Outcome.FAILED);
            var unused = client.close(); // half an answer is none, and only a closed connection says so
        } else if (mayRepeat || discarding) {
            again(seen);
        } else {
            giveUp(
                    Outcome.FAILED,
                    target + " went away before it answered; it is unknown whether the request was done"
                            + " (send an Idempotency-Key if it may be sent twice)");
        }
    }

    /** The node did not answer, and another one holds the seat: whoever may ask again need not wait. From any thread. */
    void abandonUnlessAt(View now) {
        client.eventLoop().execute(() -> {
            boolean elsewhere = target != null && !now.isHeldBy(target) && seen.version() < now.version();
            if (upstream != null && elsewhere && !answering && mayRepeat && !isRead) {
                var unused = upstream.close();
            }
        });
    }

    @Override
    void giveUp(Outcome outcome, String why) {
        HttpResponseStatus status =
                outcome == Outcome.FAILED ? HttpResponseStatus.BAD_GATEWAY : HttpResponseStatus.SERVICE_UNAVAILABLE;
        refuse(status, outcome, why);
    }

    void refuse(HttpResponseStatus status, Outcome outcome, String why) {
        byte[] body = ("{\"error\":\"" + why.replace("\\", "\\\\").replace("\"", "\\\"")
                        + "\",\"by\":\"baton proxy\"}\n")
                .getBytes(StandardCharsets.UTF_8);
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=utf-8");
        response.headers().set(HELD_MILLIS, heldMillis());
        if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            response.headers().set(HttpHeaderNames.RETRY_AFTER, 1);
        }
        HttpUtil.setContentLength(response, request.method().equals(HttpMethod.HEAD) ? 0 : body.length);
        HttpUtil.setKeepAlive(response, keepAlive);
        ChannelFuture written = client.writeAndFlush(response);
        forget(outcome);
        if (keepAlive) {
            client.eventLoop().execute(answered); // not while this request is still being read
        } else if (mayStillCome) {
            LastAnswer.after(written);
        } else {
            var unused = written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** The client left. */
    void clientGone() {
        if (upstream != null) {
            var unused = upstream.close();
            upstream = null;
        }
        forget(Outcome.FAILED);
    }

    private void forget(Outcome outcome) {
        if (!hasEnded()) {
            end(outcome);
            request.release();
            route.left(this);
        }
    }

    @Override
    long keptBytes() {
        return request.content().readableBytes();
    }
}
