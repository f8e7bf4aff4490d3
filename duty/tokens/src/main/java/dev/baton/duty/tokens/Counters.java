package dev.baton.duty.tokens;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** What has been answered since the node started. Thread-safe, and cheap enough to be called for each request. */
final class Counters {

    private final ConcurrentMap<String, LongAdder> handed = new ConcurrentHashMap<>();
    private final ConcurrentMap<Refusal, LongAdder> refusals = new ConcurrentHashMap<>();
    private final LongAdder requests = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder commits = new LongAdder();

    void answered(Answer answer, long count) {
        switch (answer) {
            case Answer.Handed tokens -> {
                requests.increment();
                if (tokens.duplicate()) {
                    duplicates.increment();
                } else {
                    handed(tokens.namespace(), count);
                }
            }
            case Answer.Refused(Refusal reason, String ignored) -> refused(reason);
            case Answer.NotHolder ignored -> {}
            case Answer.Unknown ignored -> {}
        }
    }

    private void handed(String namespace, long tokens) {
        LongAdder adder = handed.get(namespace);
        if (adder == null) {
            adder = handed.computeIfAbsent(namespace, name -> new LongAdder());
        }
        adder.add(tokens);
    }

    void refused(Refusal reason) {
        refusals.computeIfAbsent(reason, first -> new LongAdder()).increment();
    }

    void committed() {
        commits.increment();
    }

    TokenFigures now(long waiting, long checkpointBytes, long entriesSinceCheckpoint) {
        Map<String, Long> tokens = new HashMap<>();
        handed.forEach((namespace, count) -> tokens.put(namespace, count.sum()));
        Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
        refusals.forEach((reason, count) -> refused.put(reason, count.sum()));
        return new TokenFigures(
                waiting,
                tokens,
                requests.sum(),
                commits.sum(),
                duplicates.sum(),
                refused,
                checkpointBytes,
                entriesSinceCheckpoint);
    }
}
