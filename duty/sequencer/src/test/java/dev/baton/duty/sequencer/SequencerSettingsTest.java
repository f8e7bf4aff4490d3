package dev.baton.duty.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.timing.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SequencerSettingsTest {

    @Test
    void defaultsAreSound() {
        assertThat(SequencerSettings.DEFAULT.faults("")).isEmpty();
    }

    @Test
    void everyFaultIsReportedAtOnceWithItsKey() {
        SequencerSettings wrong = new SequencerSettings(
                0, 0, 0, -1, 0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ofMillis(-1), true);
        assertThat(wrong.faults("sequencer."))
                .extracting(Fault::key)
                .containsExactlyInAnyOrder(
                        "sequencer.max-transaction-bytes",
                        "sequencer.max-pending",
                        "sequencer.duplicate-window",
                        "sequencer.checkpoint-every",
                        "sequencer.gossip-sync-every",
                        "sequencer.segment-bytes",
                        "sequencer.availability-batch",
                        "sequencer.availability-retry",
                        "sequencer.reconnect-after",
                        "sequencer.peer-timeout",
                        "sequencer.max-block-bytes",
                        "sequencer.max-pending-bytes");
    }

    @Test
    void blockThatCannotTakeTheLargestTransactionIsRefused() {
        assertThat(SequencerSettings.DEFAULT.withLimits(1000, 1000, 1).faults(""))
                .extracting(Fault::toString)
                .containsExactly(
                        "max-block-bytes: 1000 (expected: 1256 or more, because a transaction may have 1000 bytes)");
    }

    @Test
    void blockTooLargeForAMessageIsRefused() {
        assertThat(SequencerSettings.DEFAULT.withLimits(4 << 20, 1000, 1).faults(""))
                .hasSize(1);
    }
}
