package dev.baton.proxy;

import dev.baton.proxy.ProxyMetrics.Outcome;
import dev.baton.proxy.ProxyMetrics.Route;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One gRPC call. Messages of the client are kept until the node begins to answer, if the call may be repeated or was not
 * sent yet. The client's side and the node's side call from threads of their own, so a lock keeps them apart.
 */
final class GrpcJourney extends Journey {

    private static final Metadata.Key<String> SERVED_BY =
            Metadata.Key.of("x-baton-served-by", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> HELD_MILLIS =
            Metadata.Key.of("x-baton-held-millis", Metadata.ASCII_STRING_MARSHALLER);

    /** Runs a task under the lock, whoever calls. */
    private static final class Locked implements Executor {
        private final ReentrantLock lock = new ReentrantLock();

        @Override
        public void execute(Runnable task) {
            lock.lock();
            try {
                task.run();
            } finally {
                lock.unlock();
            }
        }
    }

    private final GrpcRoute route;
    private final ServerCall<byte[], byte[]> client;
    private final Metadata headers;
    private final String method;
    private final boolean mayRepeat;
    private final Context context = Context.current();
    private final Locked locked;
    private final List<byte[]> kept = new ArrayList<>();
    private long keptBytes;
    private boolean clientDone;
    private boolean answering;
    private boolean keeps = true;
    private @Nullable Node node;
    private @Nullable Upstream target;

    GrpcJourney(GrpcRoute route, ServerCall<byte[], byte[]> client, Metadata headers, String method) {
        this(route, client, headers, method, new Locked());
    }

    private GrpcJourney(
            GrpcRoute route, ServerCall<byte[], byte[]> client, Metadata headers, String method, Locked locked) {
        super(route.around(), Route.GRPC, locked);
        this.route = route;
        this.client = client;
        this.headers = headers;
        this.method = method;
        this.locked = locked;
        this.mayRepeat = route.replay().mayRepeatCall(method);
    }

    ServerCall.Listener<byte[]> begin() {
        client.request(1);
        route.began(this);
        locked.execute(this::setOut);
        return new Client();
    }

    @Override
    void attempt(Upstream upstream, View seen) {
        target = upstream;
        InetSocketAddress address = upstream.grpc().orElseThrow();
        context.run(() -> {
            Sent sent = new Sent();
            ClientCall<byte[], byte[]> call = route.channel(address)
                    .newCall(GrpcRoute.descriptor(method), CallOptions.DEFAULT.withStreamTracerFactory(sent));
            node = new Node(call, sent, seen);
            Metadata copy = new Metadata();
            copy.merge(headers);
            route.tryAtOnce(address);
            call.start(node, copy);
            call.request(1);
            kept.forEach(call::sendMessage);
            if (clientDone) {
                call.halfClose();
            }
        });
    }

    /** Whether anything of a call left for the node: if not, it may be sent again whatever it asks for. */
    private static final class Sent extends ClientStreamTracer.Factory {
        private volatile boolean left;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundHeaders() {
                    left = true;
                }
            };
        }
    }

    /** The node did not answer, and another one holds the seat: whoever may ask again need not wait. From any thread. */
    void abandonUnlessAt(View now) {
        locked.execute(() -> {
            Node asked = node;
            boolean elsewhere = target != null && !now.isHeldBy(target);
            if (asked != null && elsewhere && !answering && mayRepeat && keeps && !hasEnded()) {
                node = null;
                asked.call.cancel("another node holds the seat", null);
                again(asked.seen);
            }
        });
    }

    private void forgetMessages() {
        keeps = false;
        kept.clear();
        keptBytes = 0;
    }

    @Override
    void giveUp(Outcome outcome, String why) {
        close(Status.UNAVAILABLE.withDescription("baton proxy: " + why), new Metadata(), outcome);
    }

    private void close(Status status, Metadata trailers, Outcome outcome) {
        if (!hasEnded()) {
            end(outcome);
            kept.clear();
            route.left(this);
            client.close(status, trailers);
        }
    }

    @Override
    long keptBytes() {
        return keptBytes;
    }

    /** The client's side. */
    private final class Client extends ServerCall.Listener<byte[]> {
        @Override
        public void onMessage(byte[] message) {
            locked.execute(() -> {
                if (keeps) {
                    keptBytes += message.length;
                    kept.add(message);
                    if (keptBytes > route.maxKeptBytes() && node == null) {
                        giveUp(
                                Outcome.FULL,
                                "more than " + route.maxKeptBytes() + " bytes while nobody holds the seat");
                        return;
                    }
                    if (keptBytes > route.maxKeptBytes()) {
                        forgetMessages(); // too much to be sent again
                    }
                }
                if (node != null) {
                    node.call.sendMessage(message);
                    if (node.call.isReady()) {
                        client.request(1);
                    }
                } else {
                    client.request(1);
                }
            });
        }

        @Override
        public void onHalfClose() {
            locked.execute(() -> {
                clientDone = true;
                if (node != null) {
                    node.call.halfClose();
                }
            });
        }

        @Override
        public void onCancel() {
            locked.execute(() -> {
                end(Outcome.FAILED);
                kept.clear();
                route.left(GrpcJourney.this);
                if (node != null) {
                    node.call.cancel("the client left", null);
                }
            });
        }

        @Override
        public void onReady() {
            locked.execute(() -> {
                if (node != null && answering) {
                    node.call.request(1);
                }
            });
        }
    }

    /** The node's side, for one attempt. */
    private final class Node extends ClientCall.Listener<byte[]> {
        private final ClientCall<byte[], byte[]> call;
        private final Sent sent;
        private final View seen;

        Node(ClientCall<byte[], byte[]> call, Sent sent, View seen) {
            this.call = call;
            this.sent = sent;
            this.seen = seen;
        }

        @Override
        public void onHeaders(Metadata answer) {
            locked.execute(() -> {
                if (!hasEnded()) {
                    answering = true;
                    forgetMessages();
                    client.sendHeaders(marked(answer));
                }
            });
        }

        @Override
        public void onMessage(byte[] message) {
            locked.execute(() -> {
                if (!hasEnded()) {
                    client.sendMessage(message);
                    if (client.isReady()) {
                        call.request(1);
                    }
                }
            });
        }

        @Override
        public void onReady() {
            locked.execute(() -> {
                if (node == this && !clientDone) {
                    client.request(1);
                }
            });
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            locked.execute(() -> closed(status, trailers));
        }

        private void closed(Status status, Metadata trailers) {
            if (hasEnded() || node != this) {
                return;
            }
            if (isGone(status.getCode()) && !answering && keeps && (mayRepeat || !sent.left)) {
                node = null;
                again(seen);
                return;
            }
            if (status.getCode() == Status.Code.CANCELLED && !context.isCancelled()) {
                giveUp(Outcome.FAILED, target + " went away before it answered: " + status.getDescription());
                return;
            }
            close(status, answering ? trailers : marked(trailers), status.isOk() ? Outcome.PASSED : Outcome.FAILED);
        }
    }

    /** A node that stops cancels its calls; so it was the node if neither the client nor its deadline did. */
    private boolean isGone(Status.Code code) {
        return switch (code) {
            case UNAVAILABLE, ABORTED -> true;
            case CANCELLED -> !context.isCancelled();
            default -> false;
        };
    }

    private Metadata marked(Metadata metadata) {
        metadata.put(SERVED_BY, String.valueOf(target));
        metadata.put(HELD_MILLIS, Long.toString(heldMillis()));
        return metadata;
    }
}
