package dev.baton.authority.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.core.SeatId;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Looks at all nodes at once. Nothing is changed there, not even a setting. */
public final class Survey {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final RedisAsyncCommands<byte[], byte[]> redis;

    private Survey(RedisAsyncCommands<byte[], byte[]> redis) {
        this.redis = redis;
    }

    /** Blocks for a few seconds at most. The reports are in the order of the settings. */
    public static List<NodeReport> of(RedisSettings settings, Collection<SeatId> seats) {
        try (Wiring wiring = new Wiring(settings)) {
            List<CompletableFuture<NodeReport>> reports = settings.nodes().stream()
                    .map(address -> report(wiring, address, seats))
                    .toList();
            return reports.stream().map(CompletableFuture::join).toList();
        }
    }

    private static CompletableFuture<NodeReport> report(Wiring wiring, String address, Collection<SeatId> seats) {
        return wiring.connectExpress(address)
                .thenCompose(connection -> look(address, connection, seats))
                .toCompletableFuture()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(failure -> new NodeReport.Unreachable(address, Connecting.reason(failure)));
    }

    private static CompletionStage<NodeReport> look(
            String address, StatefulRedisConnection<byte[], byte[]> connection, Collection<SeatId> seats) {
        Survey survey = new Survey(connection.async());
        CompletableFuture<NodeFacts> facts = NodeFacts.read(connection.async()).toCompletableFuture();
        CompletableFuture<Set<String>> kept = survey.kept();
        Map<SeatId, CompletableFuture<SeatLook>> looks = new HashMap<>();
        seats.forEach(seat -> looks.put(seat, survey.look(seat)));
        return CompletableFuture.allOf(looks.values().toArray(CompletableFuture<?>[]::new))
                .thenCombine(facts, (done, known) -> known)
                .thenCombine(
                        kept,
                        (known, names) -> new NodeReport.Reached(
                                address,
                                known,
                                looks.entrySet().stream()
                                        .collect(Collectors.toMap(
                                                Map.Entry::getKey,
                                                look -> look.getValue().join())),
                                names));
    }

    /** A list that is none is no reason to fail: it only helps to explain. */
    private CompletableFuture<Set<String>> kept() {
        return redis.smembers(bytes(SeatKeys.SEATS))
                .toCompletableFuture()
                .handle((names, failure) -> failure != null
                        ? Set.of()
                        : names.stream().map(Survey::text).collect(Collectors.toSet()));
    }

    private CompletableFuture<SeatLook> look(SeatId seat) {
        SeatKeys keys = SeatKeys.of(seat);
        CompletableFuture<String> seatType = type(keys.seat());
        CompletableFuture<String> stateType = type(keys.state());
        CompletableFuture<String> ledgerType = type(keys.ledger());
        CompletableFuture<Map<String, String>> state = redis.hgetall(bytes(keys.state()))
                .toCompletableFuture()
                .handle((fields, failure) -> failure != null ? Map.of() : texts(fields));
        return CompletableFuture.allOf(seatType, stateType, ledgerType, state).thenApply(done -> {
            List<String> wrong = new ArrayList<>();
            expect(keys.seat(), seatType.join(), "string", wrong);
            expect(keys.state(), stateType.join(), "hash", wrong);
            expect(keys.ledger(), ledgerType.join(), "stream", wrong);
            if (!wrong.isEmpty()) {
                return new SeatLook.Strange(wrong);
            }
            if (stateType.join().equals("none")) {
                return ledgerType.join().equals("none")
                        ? new SeatLook.Absent()
                        : new SeatLook.Strange(List.of(keys.ledger() + ": entries without " + keys.state()));
            }
            return present(seat, keys, state.join());
        });
    }

    private static void expect(String key, String found, String expected, List<String> wrong) {
        if (!found.equals("none") && !found.equals(expected)) {
            wrong.add(key + ": a " + found + " instead of a " + expected);
        }
    }

    private static SeatLook present(SeatId seat, SeatKeys keys, Map<String, String> state) {
        String kept = state.get("cluster") + "/" + state.get("seat") + "/" + state.get("era");
        if (!kept.equals(SeatKeys.named(seat))) {
            return new SeatLook.Strange(List.of(keys.state() + ": the state of " + kept));
        }
        try {
            return new SeatLook.Present(
                    new MemberId(state.getOrDefault("member", "")),
                    MemberSet.parse(state.getOrDefault("governing", "")),
                    !"0".equals(state.get("promised")) || !"0".equals(state.get("height")));
        } catch (IllegalArgumentException e) {
            return new SeatLook.Strange(List.of(keys.state() + ": " + e.getMessage()));
        }
    }

    private CompletableFuture<String> type(String key) {
        return redis.type(bytes(key)).toCompletableFuture().thenApply(String::valueOf);
    }

    private static Map<String, String> texts(Map<byte[], byte[]> fields) {
        Map<String, String> texts = new HashMap<>();
        fields.forEach((name, value) -> texts.put(text(name), text(value)));
        return texts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
