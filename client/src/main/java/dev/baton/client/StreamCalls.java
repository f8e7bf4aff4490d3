package dev.baton.client;

import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import io.grpc.Context;
import java.util.Optional;

/** What a stream needs of its client: opening at the current address, time, and what is counted. */
record StreamCalls(
        Requests requests,
        Addresses addresses,
        Channels channels,
        Breaker breaker,
        Counters counters,
        Surroundings surroundings,
        long timeoutNanos,
        long attemptTimeoutNanos) {

    /** Leave to open the stream, with all tries until a message arrives; nothing if the service is taken for gone. */
    Optional<Permit> permit() {
        Optional<Permit> permit = breaker.ask();
        if (permit.isEmpty()) {
            counters.brokenCircuit.increment();
        }
        return permit;
    }

    TokenException circuitOpen(String namespace) {
        return requests.circuitOpen(namespace);
    }

    StreamAttempt open(StreamRequest request, Permit permit) {
        String address = addresses.current();
        counters.attempts.increment();
        Channels.Line line = channels.to(address);
        StreamAttempt attempt = new StreamAttempt(address, line, permit);
        // outside any call that this thread may be serving, as with single requests
        Context.ROOT.run(() -> TokenGeneratorGrpc.newStub(line.channel()).streamTokens(request, attempt));
        return attempt;
    }

    Verdict judge(String namespace, StreamAttempt ended, Throwable why, Tries tries) {
        return requests.judge(namespace, ended.address(), why, tries);
    }

    long nowNanos() {
        return surroundings.nanoClock().getAsLong();
    }

    void after(long nanos, Runnable task) {
        surroundings.timer().after(nanos, task);
    }

    void countStale() {
        counters.stale.increment();
    }

    void countTokens(long tokens) {
        counters.tokens.add(tokens);
    }

    void countRetry() {
        counters.retries.increment();
    }
}
