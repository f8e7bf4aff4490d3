package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.SeatEvent;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a listener is told that does not keep up. */
final class SeatWatchTest {

    private static final Hash HASH = Hash.sha256(Bytes.utf8("any"));

    private final List<SeatEvent> told = new ArrayList<>();
    private final SeatWatch watch = new SeatWatch(SeatId.of("test", "blocks"), told::add, closed -> {});

    private static SeatEvent advanced(long height) {
        return new SeatEvent.Advanced(new Head(new Height(height), HASH));
    }

    @Test
    void aListenerThatFallsTooFarBehindIsToldThatItMissedEvents() {
        for (long height = 1; height <= 5000; height++) {
            watch.offer(advanced(height));
        }

        watch.deliver();

        assertThat(told).hasSizeLessThan(5000).last().isEqualTo(advanced(5000));
        assertThat(told.getFirst()).isInstanceOf(SeatEvent.Missed.class);
    }

    @Test
    void aClosedWatchTellsNothingOfWhatWasWaiting() {
        watch.offer(advanced(1));

        watch.close();
        watch.offer(advanced(2));
        watch.deliver();

        assertThat(told).isEmpty();
    }
}
