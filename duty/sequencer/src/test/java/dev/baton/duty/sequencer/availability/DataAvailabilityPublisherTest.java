package dev.baton.duty.sequencer.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Height;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.fixture.Blocks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DataAvailabilityPublisherTest {

    private static final List<StoredBlock> CHAIN =
            Blocks.chain(10).stream().map(Blocks::signed).toList();

    /** A layer in memory that has outages. */
    private static final class FailingLayer implements DataAvailability {
        private final List<List<StoredBlock>> batches = new CopyOnWriteArrayList<>();
        private volatile boolean fails;

        @Override
        public void publish(List<StoredBlock> blocks) throws IOException {
            if (fails) {
                throw new IOException("the layer does not answer");
            }
            batches.add(blocks);
        }

        @Override
        public Height publishedHeight() {
            return batches.isEmpty()
                    ? Height.ZERO
                    : batches.getLast().getLast().block().height();
        }

        @Override
        public long height() {
            return batches.size();
        }

        @Override
        public String origin() {
            return "memory:" + height();
        }

        @Override
        public void close() {}
    }

    private final FailingLayer layer = new FailingLayer();
    private volatile int available = 10;

    private final DataAvailabilityPublisher publisher = new DataAvailabilityPublisher(
            layer,
            (from, blocks, bytes) -> CHAIN.subList(
                    Math.min(available, (int) from.value() - 1), Math.min(available, (int) from.value() - 1 + blocks)),
            4,
            Duration.ofMillis(20));

    @AfterEach
    void stop() {
        publisher.close();
    }

    @Test
    void blocksArePublishedInBatchesFromTheSafeHeadOn() {
        assertThat(publisher.now().safeHead()).isEqualTo(Height.ZERO);
        publisher.start();
        await().until(() -> publisher.now().safeHead().equals(new Height(10)));
        assertThat(layer.batches).extracting(List::size).containsExactly(4, 4, 2);
        assertThat(publisher.now().lastLatency()).isPositive();
        assertThat(publisher.now().failures()).isZero();
    }

    @Test
    void newBlocksArePublishedWhenItIsToldOfThem() {
        available = 1;
        publisher.start();
        await().until(() -> publisher.now().safeHead().equals(Height.FIRST));
        available = 2;
        publisher.nudge();
        await().until(() -> publisher.now().safeHead().equals(new Height(2)));
    }

    @Test
    void failuresAreCountedAndVisibleUntilTheLayerRecovers() {
        layer.fails = true;
        publisher.start();
        await().until(() -> publisher.now().failures() >= 2);
        assertThat(publisher.now().lastFailure()).contains("the layer does not answer");
        assertThat(publisher.now().safeHead()).isEqualTo(Height.ZERO);
        layer.fails = false;
        await().until(() -> publisher.now().safeHead().equals(new Height(10)));
        assertThat(publisher.now().lastFailure()).isEmpty();
    }

    @Test
    void afterStoppingItCanBeStartedAgain() {
        available = 1;
        publisher.start();
        await().until(() -> publisher.now().safeHead().equals(Height.FIRST));
        publisher.stop();
        available = 10;
        publisher.start();
        await().until(() -> publisher.now().safeHead().equals(new Height(10)));
    }
}
