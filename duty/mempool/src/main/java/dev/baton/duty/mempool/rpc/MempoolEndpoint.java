package dev.baton.duty.mempool.rpc;

import dev.baton.duty.mempool.EventBatch;
import dev.baton.duty.mempool.InvalidRequestException;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.Page;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Subscription;
import dev.baton.duty.mempool.UnavailableException;
import dev.baton.wire.mempool.v1.Event;
import dev.baton.wire.mempool.v1.ListRequest;
import dev.baton.wire.mempool.v1.ListResponse;
import dev.baton.wire.mempool.v1.MempoolGrpc;
import dev.baton.wire.mempool.v1.StatsRequest;
import dev.baton.wire.mempool.v1.StatsResponse;
import dev.baton.wire.mempool.v1.StatusRequest;
import dev.baton.wire.mempool.v1.SubmitRequest;
import dev.baton.wire.mempool.v1.SubmitResponse;
import dev.baton.wire.mempool.v1.TransactionStatus;
import dev.baton.wire.mempool.v1.WatchRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers for a pool. Each call that waits has a virtual thread of its own, so that none keeps another waiting. */
public final class MempoolEndpoint extends MempoolGrpc.MempoolImplBase implements AutoCloseable {

    private static final Duration TURN = Duration.ofMillis(500);
    private static final int DEFAULT_LIMIT = 100;

    private final Mempool pool;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closed;

    public MempoolEndpoint(Mempool pool) {
        this.pool = pool;
    }

    private <T> void answer(StreamObserver<T> client, Supplier<T> question) {
        threads.execute(() -> {
            try {
                client.onNext(question.get());
                client.onCompleted();
            } catch (RuntimeException e) {
                client.onError(status(e).asRuntimeException());
            }
        });
    }

    private static Status status(RuntimeException failure) {
        return switch (failure) {
            case io.grpc.StatusRuntimeException told -> told.getStatus();
            case InvalidRequestException invalid -> Status.INVALID_ARGUMENT.withDescription(invalid.getMessage());
            case UnavailableException away -> Status.UNAVAILABLE.withDescription(away.getMessage());
            default -> Status.INTERNAL.withDescription(String.valueOf(failure.getMessage()));
        };
    }

    @Override
    public void submit(SubmitRequest request, StreamObserver<SubmitResponse> client) {
        answer(client, () -> switch (pool.receive(WireMempool.transaction(request))) {
            case Received.Accepted accepted ->
                SubmitResponse.newBuilder()
                        .setHash(WireMempool.encode(accepted.hash()))
                        .setArrival(accepted.arrival())
                        .build();
            case Received.Duplicate duplicate ->
                throw Status.ALREADY_EXISTS
                        .withDescription(duplicate.hash() + " is " + duplicate.stage() + " already")
                        .asRuntimeException();
            case Received.Conflict conflict ->
                throw Status.FAILED_PRECONDITION
                        .withDescription("conflict key " + conflict.key().toHex() + " is held by " + conflict.holder())
                        .asRuntimeException();
            case Received.Full full ->
                throw Status.RESOURCE_EXHAUSTED
                        .withDescription(full.pending() + " are pending (limit: " + full.limit() + "); try again later")
                        .asRuntimeException();
        });
    }

    @Override
    public void status(StatusRequest request, StreamObserver<TransactionStatus> client) {
        answer(client, () -> WireMempool.encode(pool.checkStatus(WireMempool.hash(request.getHash()))));
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> client) {
        int limit = request.getLimit() == 0 ? DEFAULT_LIMIT : request.getLimit();
        answer(client, () -> switch (request.getListing()) {
            case LIST_PENDING -> listed(pool.peekPending(request.getAfter(), limit), WireMempool::encode);
            case LIST_INFLIGHT -> listed(pool.peekInflight(request.getAfter(), limit), WireMempool::encode);
            case LIST_FINALIZED -> listed(pool.dumpFinalized(request.getAfter(), limit), WireMempool::encode);
            case LISTING_UNSPECIFIED, UNRECOGNIZED ->
                throw new InvalidRequestException("listing", Integer.toString(request.getListingValue()), "1, 2 or 3");
        });
    }

    private static <T> ListResponse listed(Page<T> page, Function<T, TransactionStatus> encode) {
        return ListResponse.newBuilder()
                .addAllTransactions(page.items().stream().map(encode).toList())
                .setNext(page.next())
                .setHasMore(page.hasMore())
                .build();
    }

    @Override
    public void stats(StatsRequest request, StreamObserver<StatsResponse> client) {
        answer(client, () -> WireMempool.encode(pool.stats()));
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<Event> client) {
        ServerCallStreamObserver<Event> stream = (ServerCallStreamObserver<Event>) client;
        Semaphore ready = new Semaphore(0);
        stream.setOnReadyHandler(ready::release);
        stream.setOnCancelHandler(ready::release);
        threads.execute(() -> {
            try {
                long after = request.getAfter() == -1 ? pool.stats().lastEvent() : request.getAfter();
                try (Subscription events = pool.subscribe(after)) {
                    send(events, stream, ready);
                }
            } catch (RuntimeException e) {
                stream.onError(status(e).asRuntimeException());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Nothing is read for a client that does not read: what waits for it waits in the pool. */
    private void send(Subscription events, ServerCallStreamObserver<Event> stream, Semaphore ready)
            throws InterruptedException {
        while (!closed && !stream.isCancelled()) {
            if (!stream.isReady()) {
                // Whether it came in time or not, the conditions above are looked at again.
                boolean ignored = ready.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS);
                continue;
            }
            switch (events.poll(TURN)) {
                case EventBatch.Next next -> next.events().forEach(event -> stream.onNext(WireMempool.encode(event)));
                case EventBatch.FellBehind(long wanted, long oldest) ->
                    throw Status.OUT_OF_RANGE
                            .withDescription("event " + wanted + " is not kept any more (oldest: " + oldest + ")")
                            .asRuntimeException();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
    }
}
