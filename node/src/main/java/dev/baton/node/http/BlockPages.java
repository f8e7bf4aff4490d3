package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.core.Bytes;
import dev.baton.core.Fact;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.Submitted;
import dev.baton.duty.sequencer.Submitter;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.node.Growth;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import dev.baton.seat.SeatStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Blocks to read, and transactions to hand in. */
final class BlockPages {

    private static final int DEFAULT_BLOCKS = 20;
    private static final int MOST_BLOCKS = 1000;
    private static final long PAGE_BYTES = 8 << 20;
    private static final Duration TAIL_CHECK = Duration.ofSeconds(1);
    private static final Duration SUBMIT_PATIENCE = Duration.ofSeconds(15);

    private final NodeView node;

    BlockPages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        int largest = node.config().seats().stream()
                .mapToInt(seat -> seat.sequencer().settings().maxTransactionBytes())
                .max()
                .orElse(0);
        List<Route> routes = new ArrayList<>(readingRoutes());
        routes.add(Route.post("/submit", largest, this::submit));
        return routes;
    }

    List<Route> readingRoutes() {
        return List.of(
                Route.get("/blocks", this::blocks),
                Route.get("/blocks/tail", this::tail),
                Route.get("/blocks/find", this::find),
                Route.get("/blocks/", this::block));
    }

    private Optional<ServedSeat> seat(Request request) {
        return node.seats().stream()
                .filter(seat -> seat.duty().chain().isPresent())
                .filter(seat -> request.parameter("seat")
                        .map(seat.name().value()::equals)
                        .orElse(true))
                .findFirst();
    }

    private Answer noBlocks() {
        return node.seats().isEmpty()
                ? Answer.error(503, "the node is starting; try again")
                : Answer.error(404, "no such seat that keeps blocks (expected: the seat of a sequencer)");
    }

    private Answer blocks(Request request) throws IOException {
        Optional<Chain> chain = seat(request).flatMap(seat -> seat.duty().chain());
        if (chain.isEmpty()) {
            return noBlocks();
        }
        int limit = (int) request.number("limit", 1, MOST_BLOCKS, DEFAULT_BLOCKS);
        long newest = Math.max(1, chain.get().height().value() - limit + 1);
        Height from = new Height(request.number("from", 1, Long.MAX_VALUE, newest));
        List<Map<String, @Nullable Object>> blocks = chain.get().range(from, limit, PAGE_BYTES).stream()
                .map(BlockPages::summary)
                .toList();
        return Answer.json(200, fields("blocks", blocks));
    }

    private Answer find(Request request) throws IOException {
        Optional<Chain> chain = seat(request).flatMap(seat -> seat.duty().chain());
        return chain.isPresent() ? BlockSearch.find(request, chain.get()) : noBlocks();
    }

    private Answer block(Request request) throws IOException {
        Optional<Chain> chain = seat(request).flatMap(seat -> seat.duty().chain());
        if (chain.isEmpty()) {
            return noBlocks();
        }
        Height height = new Height(Request.number("height", request.rest(), 1, Long.MAX_VALUE));
        Optional<StoredBlock> found = chain.get().read(height);
        if (found.isEmpty()) {
            return Answer.error(
                    404, "block " + height + " (expected: 1 to " + chain.get().height() + ", which this node has)");
        }
        Map<String, @Nullable Object> view = summary(found.get());
        List<Map<String, @Nullable Object>> transactions = new ArrayList<>();
        for (Bytes transaction : found.get().block().body().transactions()) {
            transactions.add(fields(
                    "hash", Hash.sha256(transaction).toString(),
                    "bytes", transaction.size(),
                    "hex", transaction.toHex(),
                    "text", printable(transaction)));
        }
        view.put("body", transactions);
        return Answer.json(200, view);
    }

    static Map<String, @Nullable Object> summary(StoredBlock stored) {
        Block block = stored.block();
        @Nullable BlockSignature signature = stored.signatureOrNull();
        return fields(
                "height", block.height().value(),
                "hash", block.hash().toString(),
                "parent", block.parent().toString(),
                "epoch", block.entry().author().value(),
                "timeMillis", block.body().timeMillis(),
                "origin", block.body().l1Origin(),
                "transactions", block.body().transactions().size(),
                "bytes", block.entry().payload().size(),
                "opens", opener(block),
                "signer", signature == null ? null : signature.signer().value(),
                "signed", signature != null);
    }

    /** The node whose term this block opens, if it opens one. */
    private static @Nullable String opener(Block block) {
        for (Fact fact : block.entry().facts()) {
            if (fact instanceof Fact.Opened opened) {
                return opened.seating().term().node().value();
            }
        }
        return null;
    }

    /** The text, if it is one that people can read. */
    private static @Nullable String printable(Bytes transaction) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(transaction.toArray()))
                    .toString();
            return text.codePoints().anyMatch(Character::isISOControl) ? null : text;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private Answer tail(Request request) {
        Optional<ServedSeat> seat = seat(request);
        if (seat.isEmpty()) {
            return noBlocks();
        }
        Chain chain = seat.get().duty().chain().orElseThrow();
        long next = chain.height().value() + 1;
        Height from = new Height(request.number("from", 1, Long.MAX_VALUE, next));
        return new Answer.Stream(
                200,
                "application/x-ndjson; charset=utf-8",
                out -> tail(chain, seat.get().growth(), from, out));
    }

    private void tail(Chain chain, Growth growth, Height from, OutputStream out)
            throws IOException, InterruptedException {
        Height next = from;
        while (!node.isStopping()) {
            long seen = growth.times();
            for (StoredBlock stored : chain.range(next, MOST_BLOCKS, PAGE_BYTES)) {
                out.write(Answer.bytes(summary(stored)));
                out.flush();
                next = stored.block().height().next();
            }
            if (chain.height().isBelow(next)) {
                growth.await(seen, TAIL_CHECK);
            }
        }
    }

    private Answer submit(Request request) throws InterruptedException {
        Optional<ServedSeat> seat = seat(request);
        Optional<Submitter> submitter = seat.flatMap(found -> found.duty().submitter());
        if (seat.isEmpty() || submitter.isEmpty()) {
            return noBlocks();
        }
        Submitted outcome;
        try {
            outcome = submitter
                    .get()
                    .submit(request.body())
                    .toCompletableFuture()
                    .get(SUBMIT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            outcome = new Submitted.Unknown("no answer within " + SUBMIT_PATIENCE);
        } catch (ExecutionException e) {
            outcome = new Submitted.Unknown(String.valueOf(e.getCause()));
        }
        return switch (outcome) {
            case Submitted.Accepted accepted ->
                Answer.json(
                        200,
                        fields(
                                "height", accepted.height().value(),
                                "index", accepted.index(),
                                "hash", accepted.transaction().toString(),
                                "block", accepted.block().toString(),
                                "duplicate", accepted.duplicate()));
            case Submitted.Rejected(Submitted.Reason reason, String message) ->
                Answer.error(
                        switch (reason) {
                            case EMPTY, MALFORMED -> 400;
                            case TOO_LARGE -> 413;
                            case POOL_FULL -> 429;
                        },
                        message);
            case Submitted.NotHolder elsewhere ->
                tryElsewhere(
                        seat.get().status(),
                        node.config().node() + " does not hold the seat",
                        elsewhere.address(),
                        Answer.NOT_DONE);
            case Submitted.Unknown(String why) ->
                tryElsewhere(
                        seat.get().status(),
                        "it is unknown whether the transaction was committed: " + why
                                + " (submit it again; duplicates are recognised)",
                        Optional.empty(),
                        Answer.UNKNOWN);
        };
    }

    private static Answer tryElsewhere(SeatStatus status, String error, Optional<String> address, String outcome) {
        String holder =
                address.or(() -> status.currentHolder().map(by -> by.address())).orElse(null);
        return Answer.json(
                503, fields("error", error, "holder", holder, "retry", true), Map.of(Answer.OUTCOME, outcome));
    }
}
