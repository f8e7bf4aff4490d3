package dev.baton.client;

import dev.baton.wire.token.v1.TokenResponse;
import java.util.HashMap;
import java.util.Map;

/** What the stand-ins of a cluster share: counts each namespace up and remembers every request id. */
final class Ledger {

    private final Map<String, Long> next = new HashMap<>();
    private final Map<String, TokenResponse> answered = new HashMap<>();
    private final boolean remembers;
    private long revision = 1;
    private long epoch = 1;
    private long step = 1;

    Ledger() {
        this(true);
    }

    /** Without memory it is fast, and good for measuring only. */
    Ledger(boolean remembers) {
        this.remembers = remembers;
    }

    synchronized void revision(long changed) {
        revision = changed;
    }

    synchronized void epoch(long changed) {
        epoch = changed;
    }

    synchronized void step(long changed) {
        step = changed;
    }

    synchronized void rewind(String namespace, long to) {
        next.put(namespace, to);
    }

    synchronized long next(String namespace) {
        return next.getOrDefault(namespace, 1L);
    }

    synchronized TokenResponse reserve(String namespace, long count, String client, long sequence) {
        String id = client + "/" + sequence;
        TokenResponse before = answered.get(id);
        if (before != null) {
            return before.toBuilder().setDuplicate(true).build();
        }
        long start = next.getOrDefault(namespace, 1L);
        next.put(namespace, start + count * step);
        TokenResponse response = TokenResponse.newBuilder()
                .setNamespace(namespace)
                .setStartToken(start)
                .setEndToken(start + (count - 1) * step + 1)
                .setStep(step)
                .setRevision(revision)
                .setEpoch(epoch)
                .setSequence(sequence)
                .build();
        if (remembers) {
            answered.put(id, response);
        }
        return response;
    }
}
