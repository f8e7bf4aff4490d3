package dev.baton.client;

import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One opening of a stream at one node: what arrived, in order, and at last why it ended. */
final class StreamAttempt implements ClientResponseObserver<StreamRequest, TokenResponse> {

    /** So many messages are taken from the connection before they are read; the rest waits there. */
    private static final int READ_AHEAD = 4;

    sealed interface Event {}

    record Message(TokenResponse response) implements Event {}

    record Broken(Throwable why) implements Event {}

    record Nothing() implements Event {}

    private final String address;
    private final Channels.Line line;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>(); // at most READ_AHEAD and one
    private final Permit permit;
    private volatile @Nullable ClientCallStreamObserver<StreamRequest> call;

    StreamAttempt(String address, Channels.Line line, Permit permit) {
        this.address = address;
        this.line = line;
        this.permit = permit;
    }

    String address() {
        return address;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<StreamRequest> started) {
        started.disableAutoRequestWithInitial(READ_AHEAD);
        call = started;
    }

    @Override
    public void onNext(TokenResponse response) {
        permit.answered();
        line.heard();
        events.add(new Message(response));
    }

    @Override
    public void onError(Throwable why) {
        events.add(new Broken(why));
    }

    @Override
    public void onCompleted() {
        // it was asked for without an end, so this is the node's, not ours
        events.add(new Broken(
                Status.UNAVAILABLE.withDescription("the node ended the stream").asRuntimeException()));
    }

    /** What comes next; {@link Nothing} if nothing did in time. */
    Event take(long waitNanos) {
        try {
            Event event = events.poll(Math.max(0, waitNanos), TimeUnit.NANOSECONDS);
            ClientCallStreamObserver<StreamRequest> started = call;
            if (event instanceof Message && started != null) {
                started.request(1);
            }
            return event == null ? new Nothing() : event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Nothing();
        }
    }

    /** Nothing came in time. */
    void missed() {
        line.missed();
    }

    void cancel() {
        ClientCallStreamObserver<StreamRequest> started = call;
        if (started != null) {
            started.cancel("the reader closed the stream", null);
        }
    }
}
