package dev.baton.client;

import dev.baton.client.ClientSettings.BreakerSettings;
import dev.baton.client.ClientStatistics.BreakerState;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Stops asking a service that has been gone for long, and looks now and then whether it is back.
 *
 * <p>It counts requests, each with all its tries: a request that was let in is not stopped halfway, so that tries and
 * breaker do not work against each other. An answer of any node is a success, a refusal too: the service is there. Only
 * what never got an answer of substance is a failure.
 */
final class Breaker {

    private final CircuitBreaker breaker;

    Breaker(BreakerSettings settings, LongSupplier nanoClock) {
        breaker = CircuitBreaker.of(
                "baton-tokens",
                CircuitBreakerConfig.custom()
                        .slidingWindowType(SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(settings.window())
                        .minimumNumberOfCalls(settings.window())
                        .failureRateThreshold(settings.failurePercent())
                        .waitDurationInOpenState(settings.openFor())
                        .permittedNumberOfCallsInHalfOpenState(settings.probes())
                        .clock(new MonotonicClock(nanoClock))
                        .writableStackTraceEnabled(false)
                        .build());
    }

    /** Leave for one request; nothing if the service is taken for gone. */
    Optional<Permit> ask() {
        return breaker.tryAcquirePermission() ? Optional.of(new Permit(this)) : Optional.empty();
    }

    void answered() {
        breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    void failed(Throwable why) {
        breaker.onError(0, TimeUnit.NANOSECONDS, why);
    }

    /** The request said nothing about the service, for example because its stream was closed. */
    void undecided() {
        breaker.releasePermission();
    }

    BreakerState state() {
        return switch (breaker.getState()) {
            case OPEN, FORCED_OPEN -> BreakerState.OPEN;
            case HALF_OPEN -> BreakerState.HALF_OPEN;
            case CLOSED, DISABLED, METRICS_ONLY -> BreakerState.CLOSED;
        };
    }

    /** The library measures its open time in wall time, which may jump; this one cannot. */
    private static final class MonotonicClock extends Clock {
        private final LongSupplier nanos;

        MonotonicClock(LongSupplier nanos) {
            this.nanos = nanos;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanos.getAsLong());
        }
    }
}
