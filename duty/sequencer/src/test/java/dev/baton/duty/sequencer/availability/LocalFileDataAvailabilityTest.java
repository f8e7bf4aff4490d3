package dev.baton.duty.sequencer.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.fixture.Blocks;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LocalFileDataAvailabilityTest {

    private static final List<StoredBlock> CHAIN =
            Blocks.chain(6).stream().map(Blocks::signed).toList();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void place() {
        file = folder.resolve("da/blocks");
    }

    private LocalFileDataAvailability open() throws IOException {
        return LocalFileDataAvailability.open(file, Blocks.SEAT);
    }

    @Test
    void publishedBlocksAreFoundAgainAndCountedByBatch() throws IOException {
        try (LocalFileDataAvailability layer = open()) {
            assertThat(layer.publishedHeight()).isEqualTo(Height.ZERO);
            layer.publish(CHAIN.subList(0, 3));
            layer.publish(CHAIN.subList(3, 4));
        }
        try (LocalFileDataAvailability layer = open()) {
            assertThat(layer.publishedHeight()).isEqualTo(new Height(4));
            assertThat(layer.origin()).isEqualTo("local:2");
        }
    }

    @Test
    void whatIsPublishedAlreadyIsLeftAlone() throws IOException {
        try (LocalFileDataAvailability layer = open()) {
            layer.publish(CHAIN.subList(0, 3));
            long size = Files.size(file);
            layer.publish(CHAIN.subList(0, 3));
            layer.publish(CHAIN.subList(1, 2));
            assertThat(Files.size(file)).isEqualTo(size);
            layer.publish(CHAIN.subList(1, 5));
            assertThat(layer.publishedHeight()).isEqualTo(new Height(5));
        }
    }

    /** The status page of a new leader once hung for as long as its predecessor was frozen in the middle of publishing. */
    @Test
    @Timeout(30)
    void howFarItIsIsToldWhileSomebodyPublishes() throws Exception {
        CountDownLatch publishing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        List<StoredBlock> slow = new AbstractList<>() {
            @Override
            public StoredBlock get(int index) {
                return CHAIN.get(2 + index);
            }

            @Override
            public int size() {
                publishing.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return 1;
            }
        };
        try (LocalFileDataAvailability layer = open()) {
            layer.publish(CHAIN.subList(0, 2));
            Thread publisher = Thread.ofPlatform().start(() -> {
                try {
                    layer.publish(slow);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            publishing.await();

            assertThat(layer.publishedHeight()).isEqualTo(new Height(2));

            end.countDown();
            publisher.join();
            assertThat(layer.publishedHeight()).isEqualTo(new Height(3));
        }
    }

    @Test
    void twoNodesShareTheFile() throws IOException {
        try (LocalFileDataAvailability one = open();
                LocalFileDataAvailability two = open()) {
            one.publish(CHAIN.subList(0, 2));
            two.publish(CHAIN.subList(0, 4));
            one.publish(CHAIN.subList(2, 6));
            assertThat(two.publishedHeight()).isEqualTo(new Height(6));
            assertThat(two.height()).isEqualTo(3);
        }
    }

    @Test
    void gapOrAnotherChainIsRefused() throws IOException {
        try (LocalFileDataAvailability layer = open()) {
            layer.publish(CHAIN.subList(0, 2));
            assertThatThrownBy(() -> layer.publish(CHAIN.subList(3, 4))).hasMessageContaining("does not follow");
            Block other =
                    Blocks.chain(CHAIN.getFirst().block().asHead(), 2, "other-").getLast();
            assertThatThrownBy(() -> layer.publish(List.of(Blocks.signed(other))))
                    .hasMessageContaining("does not follow the last published block 2/");
        }
    }

    @Test
    void tornBatchIsPublishedAgain() throws IOException {
        try (LocalFileDataAvailability layer = open()) {
            layer.publish(CHAIN.subList(0, 2));
            layer.publish(CHAIN.subList(2, 4));
        }
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.setLength(raw.length() - 5);
        }
        try (LocalFileDataAvailability layer = open()) {
            assertThat(layer.publishedHeight()).isEqualTo(new Height(2));
            layer.publish(CHAIN.subList(2, 4));
            assertThat(layer.publishedHeight()).isEqualTo(new Height(4));
        }
    }

    @Test
    void fileOfAnotherSeatIsRefused() throws IOException {
        open().close();
        assertThatThrownBy(() -> LocalFileDataAvailability.open(file, SeatId.of("test", "other")))
                .hasMessageContaining("belongs to test/blocks@1");
    }
}
