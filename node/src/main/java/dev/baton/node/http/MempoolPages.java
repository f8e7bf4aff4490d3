package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.EventBatch;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.InflightTransaction;
import dev.baton.duty.mempool.InvalidRequestException;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolStats;
import dev.baton.duty.mempool.Page;
import dev.baton.duty.mempool.PendingTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Status;
import dev.baton.duty.mempool.Subscription;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.UnavailableException;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A mempool for those who have no gRPC. Hashes are hexadecimal; a payload is the body of a request. */
final class MempoolPages {

    private static final int DEFAULT_LIMIT = 100;
    private static final Duration TURN = Duration.ofMillis(500);

    private final NodeView node;

    MempoolPages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        int largest = node.config().seats().stream()
                .mapToInt(seat -> seat.mempool().limits().maxPayloadBytes())
                .max()
                .orElse(0);
        return List.of(
                Route.post("/mempool/submit", largest, request -> at(request, MempoolPages::submit)),
                Route.get("/mempool/status/", request -> at(request, MempoolPages::status)),
                Route.get("/mempool/pending", request -> at(request, MempoolPages::pending)),
                Route.get("/mempool/inflight", request -> at(request, MempoolPages::inflight)),
                Route.get("/mempool/finalized", request -> at(request, MempoolPages::finalized)),
                Route.get("/mempool/stats", request -> at(request, MempoolPages::stats)),
                Route.get("/mempool/watch", request -> at(request, MempoolPages::watch)));
    }

    private interface PoolPage {
        Answer answer(Request request, Mempool pool);
    }

    private Answer at(Request request, PoolPage page) {
        for (ServedSeat seat : node.seats()) {
            Optional<Mempool> pool = seat.duty().mempool();
            if (pool.isPresent()
                    && request.parameter("seat")
                            .map(seat.name().value()::equals)
                            .orElse(true)) {
                try {
                    return page.answer(request, pool.get());
                } catch (InvalidRequestException e) {
                    return Answer.error(400, String.valueOf(e.getMessage()));
                } catch (UnavailableException e) {
                    return Answer.json(
                            503, fields("error", e.getMessage(), "perhapsDone", e.isPerhapsDone(), "retry", true));
                }
            }
        }
        return node.seats().isEmpty()
                ? Answer.error(503, "the node is starting; try again")
                : Answer.error(404, "no such seat that has a mempool (expected: a seat with the duty mempool)");
    }

    private static Answer submit(Request request, Mempool pool) {
        Hash hash = request.parameter("hash").map(MempoolPages::hash).orElseGet(() -> Hash.sha256(request.body()));
        List<Bytes> keys = new ArrayList<>();
        request.parameter("conflict-keys").ifPresent(text -> {
            for (String key : text.split(",", -1)) {
                keys.add(Bytes.wrap(hex("conflict-keys", key)));
            }
        });
        return switch (pool.receive(new Transaction(hash, request.body(), keys))) {
            case Received.Accepted accepted ->
                Answer.json(200, fields("hash", hash.toString(), "stage", "PENDING", "arrival", accepted.arrival()));
            case Received.Duplicate duplicate ->
                Answer.json(
                        409,
                        fields(
                                "error",
                                hash + " is in the pool already: " + duplicate.stage(),
                                "reason",
                                "DUPLICATE",
                                "stage",
                                duplicate.stage().name()));
            case Received.Conflict conflict ->
                Answer.json(
                        409,
                        fields(
                                "error",
                                "conflict key " + conflict.key().toHex() + " is held by " + conflict.holder(),
                                "reason",
                                "CONFLICT"));
            case Received.Full full ->
                Answer.json(
                        429,
                        fields(
                                "error",
                                full.pending() + " are pending (limit: " + full.limit() + "); try again later",
                                "reason",
                                "FULL"),
                        Map.of("Retry-After", "1"));
        };
    }

    private static Hash hash(String text) {
        byte[] bytes = hex("hash", text);
        if (bytes.length != Hash.SIZE) {
            throw new InvalidRequestException("hash", bytes.length + " bytes", Integer.toString(Hash.SIZE));
        }
        return Hash.of(bytes);
    }

    private static byte[] hex(String name, String text) {
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(name, text, "pairs of digits 0-9 and a-f");
        }
    }

    private static Answer status(Request request, Mempool pool) {
        Status status = pool.checkStatus(hash(request.rest()));
        return Answer.json(
                200,
                fields(
                        "hash", status.hash().toString(),
                        "stage", status.stage().name(),
                        "confirmations", status.confirmations(),
                        "nonConfirmations", status.nonConfirmations(),
                        "confirmedAt", point(status.confirmedAt())));
    }

    private static @Nullable String point(Optional<Point> point) {
        return point.map(Point::toString).orElse(null);
    }

    private static <T> Answer page(Page<T> page, Function<T, Map<String, @Nullable Object>> view) {
        return Answer.json(
                200,
                fields(
                        "transactions", page.items().stream().map(view).toList(),
                        "next", page.next(),
                        "hasMore", page.hasMore()));
    }

    private static long after(Request request) {
        return request.number("after", Long.MIN_VALUE, Long.MAX_VALUE, 0);
    }

    private static int limit(Request request) {
        return (int) request.number("limit", Integer.MIN_VALUE, Integer.MAX_VALUE, DEFAULT_LIMIT);
    }

    private static Answer pending(Request request, Mempool pool) {
        return page(pool.peekPending(after(request), limit(request)), MempoolPages::view);
    }

    private static Map<String, @Nullable Object> view(PendingTransaction pending) {
        return fields(
                "hash", pending.hash().toString(),
                "stage", "PENDING",
                "bytes", pending.payload().size(),
                "cursor", pending.arrival(),
                "receivedAtMillis", pending.receivedAtMillis());
    }

    private static Answer inflight(Request request, Mempool pool) {
        return page(pool.peekInflight(after(request), limit(request)), MempoolPages::view);
    }

    private static Map<String, @Nullable Object> view(InflightTransaction inflight) {
        return fields(
                "hash", inflight.hash().toString(),
                "stage", inflight.stage().name(),
                "bytes", inflight.payload().size(),
                "owner", inflight.owner(),
                "confirmations", inflight.confirmations(),
                "nonConfirmations", inflight.nonConfirmations(),
                "confirmedAt", point(inflight.confirmedAt()),
                "cursor", inflight.arrival());
    }

    private static Answer finalized(Request request, Mempool pool) {
        return page(pool.dumpFinalized(after(request), limit(request)), MempoolPages::view);
    }

    private static Map<String, @Nullable Object> view(FinalizedTransaction ended) {
        return fields(
                "hash", ended.hash().toString(),
                "stage", ended.stage().name(),
                "confirmations", ended.confirmations(),
                "confirmedAt", point(ended.confirmedAt()),
                "endedBy", ended.endedBy().toString(),
                "cursor", ended.number());
    }

    private static Answer stats(Request request, Mempool pool) {
        return Answer.json(200, view(pool.stats()));
    }

    static Map<String, @Nullable Object> view(MempoolStats stats) {
        return fields(
                "pending", stats.pending(),
                "inflight", stats.inflight(),
                "propagated", stats.propagated(),
                "confirmed", stats.confirmed(),
                "finalized", stats.finalized(),
                "oldestPendingAtMillis", stats.oldestPendingAtMillis().orElse(null),
                "claimsReturned", stats.claimsReturned(),
                "fencedConfirms", stats.fencedConfirms(),
                "lastEvent", stats.lastEvent(),
                "cursor", stats.cursor().toString(),
                "watcher", stats.watcher().map(Object::toString).orElse(null));
    }

    /** One line per event, until the client leaves. */
    private static Answer watch(Request request, Mempool pool) {
        long from = after(request);
        Subscription events = pool.subscribe(from == -1 ? pool.stats().lastEvent() : from);
        return new Answer.Stream(200, "application/x-ndjson; charset=utf-8", out -> {
            try (events) {
                boolean more = true;
                while (more) {
                    more = send(events, out);
                }
            }
        });
    }

    private static boolean send(Subscription events, OutputStream out) throws IOException, InterruptedException {
        try {
            switch (events.poll(TURN)) {
                case EventBatch.Next next -> {
                    for (Event event : next.events()) {
                        out.write(Answer.bytes(fields(
                                "id", event.id(),
                                "hash", event.hash().toString(),
                                "stage", event.stage().name())));
                    }
                    if (next.events().isEmpty()) {
                        out.write('\n'); // shows whether the client is still there
                    }
                }
                case EventBatch.FellBehind(long wanted, long oldest) -> {
                    out.write(Answer.bytes(
                            fields("error", "event " + wanted + " is not kept any more", "oldest", oldest)));
                    return false;
                }
            }
        } catch (UnavailableException e) {
            out.write(Answer.bytes(fields("error", e.getMessage(), "retry", true)));
            return false;
        }
        out.flush();
        return true;
    }
}
