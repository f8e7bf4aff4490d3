package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.duty.tokens.Answer.Handed;
import dev.baton.duty.tokens.Answer.NotHolder;
import dev.baton.duty.tokens.Answer.Refused;
import dev.baton.duty.tokens.Answer.Unknown;
import dev.baton.duty.tokens.Ask;
import dev.baton.duty.tokens.Changed;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceHistory;
import dev.baton.duty.tokens.NamespaceSpec;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.RequestId;
import dev.baton.duty.tokens.Stretch;
import dev.baton.duty.tokens.Tokens;
import dev.baton.duty.tokens.rpc.TokenMeter;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import dev.baton.node.presence.PeerTable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tokens for those who have no gRPC.
 *
 * <p>Fields are called as in the JSON form of the gRPC messages. Numbers that may be large are strings there and here:
 * many readers of JSON would round them, and a rounded token is somebody else's.
 */
final class TokenPages {

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final NodeView node;

    TokenPages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/tokens/next", 0, request -> atSeat(request, this::next)),
                new Route("/tokens/namespaces", Set.of("GET", "HEAD", "POST"), 0, this::namespaces),
                Route.get("/tokens/namespaces/", request -> atSeat(request, TokenPages::namespace)),
                Route.get("/tokens/history", request -> atSeat(request, TokenPages::history)),
                Route.post("/tokens/freeze", 0, request -> atSeat(request, this::freeze)));
    }

    private interface Page {
        Answer answer(Request request, ServedSeat seat, Tokens tokens) throws InterruptedException;
    }

    private Answer atSeat(Request request, Page page) throws InterruptedException {
        for (ServedSeat seat : node.seats()) {
            Optional<Tokens> tokens = seat.duty().tokens();
            if (tokens.isPresent()
                    && request.parameter("seat")
                            .map(seat.name().value()::equals)
                            .orElse(true)) {
                return page.answer(request, seat, tokens.get());
            }
        }
        return node.seats().isEmpty()
                ? Answer.error(503, "the node is starting; try again")
                : Answer.error(404, "no such seat that hands out tokens (expected: a seat with the duty tokens)");
    }

    private Answer next(Request request, ServedSeat seat, Tokens tokens) throws InterruptedException {
        long begunNanos = System.nanoTime();
        request.requireOnly("seat", "namespace", "count", "client", "sequence", "accept-step");
        Optional<String> client = request.parameter("client");
        OptionalLong number = number(request, "sequence");
        long sequence = number.orElse(0);
        Ask ask = new Ask(
                request.required("namespace", "the name of a namespace"),
                number(request, "count").orElse(1),
                // Half an id is one, too: it must be refused rather than ignored.
                client.isEmpty() && number.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new RequestId(client.orElse(""), sequence)),
                truth(request, "accept-step", Optional.of(false)));
        dev.baton.duty.tokens.Answer answer = TokenPages.<dev.baton.duty.tokens.Answer>await(
                told -> tokens.next(ask, told), why -> new Unknown(why, Optional.empty()));
        measure(answer, System.nanoTime() - begunNanos, seat.duty().tokenMeter());
        return switch (answer) {
            case Handed handed ->
                Answer.json(
                        200,
                        fields(
                                "namespace", handed.namespace(),
                                "startToken", text(handed.start()),
                                "endToken", text(handed.end()),
                                "revision", text(handed.revision()),
                                "epoch", text(handed.epoch().value()),
                                "height", text(handed.height().value()),
                                "step", text(handed.step()),
                                "sequence", text(sequence),
                                "duplicate", handed.duplicate()));
            case Refused(Refusal reason, String message) -> refused(reason, message);
            case NotHolder(Optional<String> address) -> elsewhere(seat, notHolder(), address, Answer.NOT_DONE);
            case Unknown(String why, Optional<String> address) ->
                elsewhere(seat, unknown(why), address, Answer.UNKNOWN);
        };
    }

    /** As calls over gRPC are measured: whoever watches the service need not know how it is asked. */
    private static void measure(dev.baton.duty.tokens.Answer answer, long tookNanos, TokenMeter meter) {
        switch (answer) {
            case Handed handed -> meter.handed(handed.namespace(), tookNanos);
            case Refused refused -> {} // counted by its reason where it is refused
            case NotHolder elsewhere -> meter.unavailable();
            case Unknown unknown -> meter.unavailable();
        }
    }

    private Answer namespaces(Request request) throws InterruptedException {
        return atSeat(request, request.isPost() ? this::create : TokenPages::list);
    }

    private Answer create(Request request, ServedSeat seat, Tokens tokens) throws InterruptedException {
        request.requireOnly("seat", "name", "guarantee", "start", "step", "ceiling", "max-count", "shards");
        NamespaceSpec wanted = new NamespaceSpec(
                request.required("name", "the name of the namespace"),
                guarantee(request),
                number(request, "start"),
                number(request, "step"),
                number(request, "ceiling"),
                number(request, "max-count"),
                request.parameter("shards")
                        .map(shards -> OptionalInt.of(
                                (int) Request.number("shards", shards, Integer.MIN_VALUE, Integer.MAX_VALUE)))
                        .orElse(OptionalInt.empty()));
        return changed(
                seat,
                TokenPages.<Changed>await(
                        told -> tokens.create(wanted, told), why -> new Changed.Unknown(why, Optional.empty())));
    }

    private static Guarantee guarantee(Request request) {
        String text = request.parameter("guarantee").orElse("strict");
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "strict" -> Guarantee.STRICT;
            case "leased" -> Guarantee.LEASED;
            default -> throw new Request.BadRequestException("guarantee: " + text + " (expected: strict or leased)");
        };
    }

    private Answer freeze(Request request, ServedSeat seat, Tokens tokens) throws InterruptedException {
        request.requireOnly("seat", "namespace", "frozen");
        String name = request.required("namespace", "the name of a namespace");
        boolean frozen = truth(request, "frozen", Optional.empty());
        return changed(
                seat,
                TokenPages.<Changed>await(
                        told -> tokens.freeze(name, frozen, told), why -> new Changed.Unknown(why, Optional.empty())));
    }

    private Answer changed(ServedSeat seat, Changed changed) {
        return switch (changed) {
            case Changed.Done(List<NamespaceView> namespaces, Height height) -> listed(namespaces, height);
            case Changed.Refused(Refusal reason, String message) -> refused(reason, message);
            case Changed.NotHolder(Optional<String> address) -> elsewhere(seat, notHolder(), address, Answer.NOT_DONE);
            case Changed.Unknown(String why, Optional<String> address) ->
                elsewhere(seat, unknown(why), address, Answer.UNKNOWN);
        };
    }

    private static Answer list(Request request, ServedSeat seat, Tokens tokens) {
        Height atLeast = seat.duty().duty().applied(); // first: what is listed may be newer, never older
        return listed(tokens.namespaces(request.parameter("prefix").orElse("")), atLeast);
    }

    private static Answer listed(List<NamespaceView> namespaces, Height height) {
        return Answer.json(
                200,
                fields(
                        "namespaces",
                        namespaces.stream().map(TokenPages::view).toList(),
                        "height",
                        text(height.value())));
    }

    private static Answer namespace(Request request, ServedSeat seat, Tokens tokens) {
        return tokens.namespace(request.rest())
                .<Answer>map(view -> Answer.json(200, view(view)))
                .orElseGet(() -> noNamespace(request.rest()));
    }

    private static Answer history(Request request, ServedSeat seat, Tokens tokens) {
        String name = request.required("namespace", "the name of a namespace");
        Optional<NamespaceHistory> history = tokens.history(name);
        return history.isEmpty()
                ? noNamespace(name)
                : Answer.json(
                        200,
                        fields(
                                "name", name,
                                "stretches",
                                        history.get().stretches().stream()
                                                .map(TokenPages::view)
                                                .toList(),
                                "rememberedFrom", text(history.get().rememberedFrom())));
    }

    static Map<String, @Nullable Object> view(NamespaceView view) {
        return fields(
                "name", view.name(),
                "guarantee", view.guarantee().name(),
                "start", text(view.start()),
                "step", text(view.step()),
                "ceiling", text(view.ceiling()),
                "maxCount", text(view.maxCount()),
                "frozen", view.frozen(),
                "next", text(view.next().orElse(0)),
                "reserved", text(view.reserved()),
                "createdHeight", text(view.created().value()),
                "shards", view.shards().orElse(0));
    }

    private static Map<String, @Nullable Object> view(Stretch stretch) {
        return fields(
                "epoch", text(stretch.epoch().value()),
                "revision", text(stretch.revision()),
                "firstToken", text(stretch.first()),
                "endToken", text(stretch.end()),
                "firstHeight", text(stretch.from().value()),
                "lastHeight", text(stretch.to().value()),
                "gapFrom", text(stretch.gapFrom()));
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    private static OptionalLong number(Request request, String name) {
        Optional<String> text = request.parameter(name);
        return text.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Request.number(name, text.get(), Long.MIN_VALUE, Long.MAX_VALUE));
    }

    private static boolean truth(Request request, String name, Optional<Boolean> otherwise) {
        String text = otherwise.isPresent()
                ? request.parameter(name).orElse(otherwise.get().toString())
                : request.required(name, "true or false");
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new Request.BadRequestException(name + ": " + text + " (expected: true or false)");
        };
    }

    /** Waits for an answer that comes on the duty's thread; this one is a virtual one, and may. */
    private static <T> T await(Consumer<Consumer<T>> ask, Function<String, T> unknown) throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        ask.accept(answer::complete);
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return unknown.apply("no answer within " + PATIENCE.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new IllegalStateException("nobody fails this", e);
        }
    }

    private String notHolder() {
        return node.config().node() + " does not hold the seat";
    }

    private static String unknown(String why) {
        return why + "; ask again with the same client and sequence, and the answer will be right";
    }

    private static Answer noNamespace(String name) {
        return refused(Refusal.NO_NAMESPACE, "namespace: " + name + " (expected: a namespace that this node knows of)");
    }

    private static Answer refused(Refusal reason, String message) {
        int status = switch (reason) {
            case INVALID, FOREIGN_ID -> 400;
            case NO_NAMESPACE -> 404;
            // Not 410: fewer tokens may be left than were asked for, but some.
            case FROZEN, SHARDED, STEPPED, FORGOTTEN, EXHAUSTED, EXISTS, TOO_MANY_NAMESPACES -> 409;
            case OVERLOADED -> 429;
        };
        return Answer.json(
                status,
                fields("error", message, "reason", reason.name()),
                reason == Refusal.OVERLOADED ? Map.of("Retry-After", "1") : Map.of());
    }

    /** Where to send the same HTTP request, and where the holder speaks gRPC. */
    private Answer elsewhere(ServedSeat seat, String error, Optional<String> tokensAddress, String outcome) {
        Optional<String> http =
                seat.status().currentHolder().map(by -> by.term().node()).flatMap(this::httpAddress);
        return Answer.json(
                503,
                fields(
                        "error",
                        error,
                        "holder",
                        http.orElse(null),
                        "tokens",
                        tokensAddress.orElse(null),
                        "retry",
                        true),
                http.map(address -> Map.of("Baton-Holder", address, Answer.OUTCOME, outcome))
                        .orElse(Map.of(Answer.OUTCOME, outcome)));
    }

    private Optional<String> httpAddress(NodeId holder) {
        return holder.equals(node.config().node())
                ? Optional.of(node.ownHttpAddress())
                : node.peers().find(holder).map(PeerTable.Sighting::presence).map(peer -> peer.httpAddress());
    }
}
