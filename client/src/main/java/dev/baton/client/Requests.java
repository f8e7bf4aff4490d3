package dev.baton.client;

import dev.baton.client.Request.Outcome;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests until each is answered, refused for good, out of tries or out of time. Never blocks. */
final class Requests {

    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    private final String clientId;
    private final ClientSettings settings;
    private final Surroundings surroundings;
    private final Addresses addresses;
    private final Channels channels;
    private final Breaker breaker;
    private final Counters counters;
    private final Backoff backoff;
    private final AtomicLong sequence = new AtomicLong();
    private final Set<Request> underWay = ConcurrentHashMap.newKeySet();
    private final Tellings tellings;
    private volatile boolean stopped;

    Requests(
            String clientId,
            ClientSettings settings,
            Surroundings surroundings,
            Addresses addresses,
            Channels channels,
            Breaker breaker,
            Counters counters,
            Tellings tellings) {
        this.clientId = clientId;
        this.settings = settings;
        this.surroundings = surroundings;
        this.addresses = addresses;
        this.channels = channels;
        this.breaker = breaker;
        this.counters = counters;
        this.backoff = new Backoff(settings.backoff(), settings.backoffCap(), surroundings.dice());
        this.tellings = tellings;
    }

    Backoff backoff() {
        return backoff;
    }

    /** Nothing is sent any more: what is not answered yet fails at its next try. */
    void stop() {
        stopped = true;
    }

    boolean idle() {
        return underWay.isEmpty();
    }

    /** Sends a request and tells its outcome exactly once, never before this returns on the thread that called it. */
    void send(String namespace, long count, long deadlineNanos, OrderGuard guard, Outcome outcome) {
        counters.requests.increment();
        Optional<Permit> permit = breaker.ask();
        if (permit.isEmpty()) {
            counters.brokenCircuit.increment();
            counters.failures.increment();
            TokenException why = circuitOpen(namespace);
            tellings.soon(() -> outcome.failed(why));
            return;
        }
        TokenRequest message = TokenRequest.newBuilder()
                .setNamespace(namespace)
                .setCount(count)
                .setClientId(clientId)
                .setSequence(sequence.incrementAndGet())
                .setAcceptStep(true)
                .build();
        Request request = new Request(
                message,
                deadlineNanos,
                guard,
                new Tries(settings.tries(), backoff),
                permit.get(),
                outcome,
                tellings,
                underWay::remove);
        underWay.add(request);
        attempt(request, addresses.current());
    }

    private void attempt(Request request, String address) {
        if (stopped) {
            failSoon(request, Status.Code.CANCELLED, "this client was closed");
            return;
        }
        long remainingNanos = request.deadlineNanos - surroundings.nanoClock().getAsLong();
        if (remainingNanos <= 0) {
            failSoon(request, Status.Code.DEADLINE_EXCEEDED, "no time left to ask");
            return;
        }
        counters.attempts.increment();
        long patienceNanos = Math.min(remainingNanos, settings.attemptTimeout().toNanos());
        @Nullable Attempt attempt = null;
        try {
            Channels.Line line = channels.to(address);
            Attempt sent = new Attempt(request, line, address);
            attempt = sent;
            // outside any call that this thread may be serving: its end must not cancel other callers' tokens
            Context.ROOT.run(() -> TokenGeneratorGrpc.newStub(line.channel())
                    .withDeadlineAfter(patienceNanos, TimeUnit.NANOSECONDS)
                    .nextToken(request.message, sent));
        } catch (RuntimeException | Error e) {
            // also an error of somebody's interceptor: whoever waits must not wait for ever
            if (attempt == null || attempt.ends()) {
                failSoon(request, Status.Code.INTERNAL, "cannot ask " + address + ": " + e);
            }
        }
    }

    TokenException circuitOpen(String namespace) {
        return new TokenException(
                namespace,
                Status.Code.UNAVAILABLE,
                "not asked: the service has not answered for long, the circuit breaker is " + breaker.state());
    }

    /** On another thread: whoever sends may be serving others, and what callers attached to their futures may block. */
    private void failSoon(Request request, Status.Code code, String reason) {
        TokenException why = new TokenException(request.namespace(), code, reason);
        surroundings.worker().execute(() -> fail(request, why));
    }

    private void fail(Request request, TokenException why) {
        request.failed(why, counters.failures::increment);
    }

    private void answered(Request request, TokenResponse response) {
        request.permit.answered();
        Answers.Checked checked = Answers.check(request.message, response);
        if (checked instanceof Answers.Malformed malformed) {
            fail(request, new TokenException(request.namespace(), Status.Code.INTERNAL, malformed.why()));
            return;
        }
        TokenRange range = ((Answers.Sound) checked).range();
        Optional<String> problem = request.guard.accept(request.mark, range, response);
        if (problem.isPresent()) {
            counters.stale.increment();
            StaleAnswerException stale = new StaleAnswerException(request.namespace(), problem.get());
            LOG.error("{}: tokens refused: {}", request.namespace(), problem.get());
            fail(request, stale);
            return;
        }
        request.answered(range);
    }

    private void unanswered(Request request, String address, Throwable failure) {
        Verdict verdict = judge(request.namespace(), address, failure, request.tries);
        switch (verdict) {
            case Verdict.GoTo(String holder, TokenException why) -> attempt(request, holder);
            case Verdict.GiveUp(TokenException why) -> {
                request.permit.ended(verdict);
                fail(request, why);
            }
            case Verdict.TryAgain(boolean elsewhere, TokenException why) -> {
                OptionalLong pause = request.tries.pauseNanos(
                        request.deadlineNanos - surroundings.nanoClock().getAsLong());
                if (pause.isEmpty()) {
                    request.permit.ended(verdict);
                    fail(request, why);
                    return;
                }
                counters.retries.increment();
                surroundings.timer().after(pause.getAsLong(), () -> attempt(request, addresses.current()));
            }
        }
    }

    /** Decides what follows a failure, and lets the addresses know. */
    Verdict judge(String namespace, String address, Throwable failure, Tries tries) {
        Verdict verdict = Verdict.of(namespace, address, failure);
        if (verdict instanceof Verdict.GoTo goTo && !tries.mayFollow()) {
            verdict = new Verdict.TryAgain(true, goTo.why());
        }
        if (verdict instanceof Verdict.GoTo goTo) {
            counters.redirects.increment();
            addresses.follow(goTo.address());
        } else if (verdict instanceof Verdict.TryAgain again && again.elsewhere()) {
            addresses.leave(address);
        }
        LOG.debug(
                "{}: {} at {}: {}",
                namespace,
                verdict.getClass().getSimpleName(),
                address,
                verdict.why().reason());
        return verdict;
    }

    /** One sending of a request. */
    private final class Attempt implements StreamObserver<TokenResponse> {
        private final Request request;
        private final Channels.Line line;
        private final String address;
        private final AtomicBoolean ended = new AtomicBoolean();
        private @Nullable TokenResponse response;

        Attempt(Request request, Channels.Line line, String address) {
            this.request = request;
            this.line = line;
            this.address = address;
        }

        @Override
        public void onNext(TokenResponse value) {
            response = value;
        }

        /** Whether this is its first end; gRPC may tell of another one after it has thrown. */
        boolean ends() {
            return ended.compareAndSet(false, true);
        }

        @Override
        public void onCompleted() {
            if (response == null) {
                onError(Status.INTERNAL
                        .withDescription("no answer in the answer")
                        .asRuntimeException());
            } else if (ends()) {
                TokenResponse answer = response;
                line.heard();
                followedThrough(() -> answered(request, answer));
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (ends()) {
                if (Status.fromThrowable(failure).getCode() == Status.Code.DEADLINE_EXCEEDED) {
                    line.missed();
                } else {
                    line.heard();
                }
                followedThrough(() -> unanswered(request, address, failure));
            }
        }

        /** gRPC would only log what is thrown here, and the request would never end. */
        private void followedThrough(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                failSoon(request, Status.Code.INTERNAL, "this client failed: " + e);
                throw e;
            }
        }
    }
}
