package dev.baton.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallMeterTest {

    private final AtomicLong clock = new AtomicLong(TimeUnit.SECONDS.toNanos(1000));
    private final CallMeter meter = new CallMeter(clock::get);

    @Test
    void withoutCallsNothingFails() {
        assertThat(meter.errorRate()).isZero();
    }

    @Test
    void theRateIsTheShareThatFailed() {
        meter.failed();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
        meter.succeeded();
        meter.succeeded();
        meter.succeeded();

        assertThat(meter.errorRate()).isEqualTo(0.25);
    }

    @Test
    void whatIsOlderThanAMinuteDoesNotCount() {
        meter.failed();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(59));
        meter.succeeded();
        assertThat(meter.errorRate()).isEqualTo(0.5);

        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));

        assertThat(meter.errorRate()).isZero();
    }
}
