package dev.baton.duty.sequencer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Era;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.fixture.Blocks;
import dev.baton.duty.sequencer.fixture.FailingFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockStoreTest {

    private static final List<Block> CHAIN = Blocks.chain(20);

    @TempDir
    Path folder;

    private BlockStore open() throws IOException {
        return BlockStore.open(folder, Blocks.SEAT);
    }

    /** Each block in a file of its own. */
    private BlockStore openSmall() throws IOException {
        return BlockStore.open(folder, Blocks.SEAT, 1, DiskFile::open);
    }

    private void fill(BlockStore store, int count) throws IOException {
        for (Block block : CHAIN.subList(0, count)) {
            store.append(Blocks.signed(block));
            store.sync();
        }
    }

    private Path segment(int first) {
        return folder.resolve(Segment.fileName(first));
    }

    private static void flip(Path file, long offset) throws IOException {
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(offset);
            int before = raw.read();
            raw.seek(offset);
            raw.write(before ^ 0xff);
        }
    }

    private static void cut(Path file, long bytes) throws IOException {
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.setLength(raw.length() - bytes);
        }
    }

    @Test
    void blocksAndSignaturesSurviveReopening() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 5);
        }
        try (BlockStore store = open()) {
            assertThat(store.height()).isEqualTo(new Height(5));
            assertThat(store.range(Height.FIRST, 100, Long.MAX_VALUE))
                    .isEqualTo(CHAIN.subList(0, 5).stream().map(Blocks::signed).toList());
            assertThat(store.read(new Height(6))).isEmpty();
            assertThat(store.read(Height.ZERO)).isEmpty();
            assertThat(store.firstUnsigned(Height.ZERO)).isEmpty();
        }
    }

    @Test
    void blocksAreFoundAcrossFiles() throws IOException {
        try (BlockStore store = openSmall()) {
            fill(store, 6);
        }
        assertThat(segment(6)).exists();
        try (BlockStore store = openSmall()) {
            assertThat(store.height()).isEqualTo(new Height(6));
            assertThat(store.range(new Height(3), 3, Long.MAX_VALUE))
                    .extracting(stored -> stored.block().height().value())
                    .containsExactly(3L, 4L, 5L);
        }
    }

    @Test
    void rangeStopsAfterTheBytesAskedForButReturnsOneBlockAtLeast() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 5);
            assertThat(store.range(Height.FIRST, 100, 1)).hasSize(1);
        }
    }

    @Test
    void signatureThatArrivesLaterIsKeptAndTheBlockStaysAsItWas() throws IOException {
        Block first = CHAIN.getFirst();
        try (BlockStore store = open()) {
            store.append(StoredBlock.unsigned(first));
            store.sync();
            assertThat(store.firstUnsigned(Height.ZERO)).contains(Height.FIRST);
            store.addSignature(Height.FIRST, Blocks.anySignature(first));
            assertThat(store.firstUnsigned(Height.ZERO)).isEmpty();
        }
        try (BlockStore store = open()) {
            assertThat(store.read(Height.FIRST)).contains(Blocks.signed(first));
            assertThat(store.unsignedCount()).isZero();
        }
    }

    @Test
    void onlyTheNextBlockIsTaken() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 2);
            assertThatThrownBy(() -> store.append(Blocks.signed(CHAIN.get(3))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("block 4 (expected: 3");
        }
    }

    @Test
    void tornTailIsCutOffAndRefilled() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 3);
        }
        cut(segment(1), 7);
        try (BlockStore store = open()) {
            assertThat(store.height()).isEqualTo(new Height(2));
            store.append(Blocks.signed(CHAIN.get(2)));
            store.sync();
        }
        try (BlockStore store = open()) {
            assertThat(store.height()).isEqualTo(new Height(3));
        }
    }

    @Test
    void tailTornAtAnyByteIsCutOffAndNothingElseIsLost() throws IOException {
        long before;
        try (BlockStore store = open()) {
            fill(store, 2);
            before = Files.size(segment(1));
            store.append(Blocks.signed(CHAIN.get(2)));
            store.sync();
        }
        byte[] whole = Files.readAllBytes(segment(1));
        for (int length = (int) before; length < whole.length; length++) {
            Files.write(segment(1), Arrays.copyOf(whole, length));
            try (BlockStore store = open()) {
                assertThat(store.height()).as("cut to %d bytes", length).isEqualTo(new Height(2));
            }
        }
    }

    @Test
    void anyDamagedByteBeforeTheLastRecordIsNoticed() throws IOException {
        long last;
        try (BlockStore store = open()) {
            fill(store, 2);
            last = Files.size(segment(1));
            store.append(Blocks.signed(CHAIN.get(2)));
            store.sync();
        }
        byte[] whole = Files.readAllBytes(segment(1));
        for (int at = 0; at < last; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(segment(1), damaged);
            assertThatThrownBy(this::open).as("byte %d", at).isInstanceOf(StoreUnusableException.class);
        }
    }

    @Test
    void fileTornWithinItsHeaderIsBegunAnew() throws IOException {
        try (BlockStore store = openSmall()) {
            fill(store, 2);
        }
        cut(segment(2), Files.size(segment(2)) - 10);
        try (BlockStore store = openSmall()) {
            assertThat(store.height()).isEqualTo(Height.FIRST);
            store.append(Blocks.signed(CHAIN.get(1)));
            assertThat(store.height()).isEqualTo(new Height(2));
        }
    }

    @Test
    void batchThatWasNeverSyncedMayBeTornInItsMiddle() throws IOException {
        long middle;
        try (BlockStore store = open()) {
            fill(store, 2);
            middle = Files.size(segment(1)) + 20;
            for (Block block : CHAIN.subList(2, 6)) {
                store.append(Blocks.signed(block));
            }
        }
        flip(segment(1), middle);
        try (BlockStore store = open()) {
            assertThat(store.height()).isEqualTo(new Height(2));
        }
    }

    @Test
    void damagedRecordBeforeTheTailIsRefusedWithFileOffsetAndRemedy() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 4);
        }
        long before = Files.size(segment(1));
        flip(segment(1), RecordHeader.SIZE + 30);
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining(segment(1).toString())
                .hasMessageContaining("offset " + RecordHeader.SIZE)
                .hasMessageContaining("move the folder aside and restart");
        assertThat(Files.size(segment(1))).isEqualTo(before);
    }

    @Test
    void damagedLengthBeforeTheTailIsNotTakenForATornTail() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 4);
        }
        flip(segment(1), RecordHeader.SIZE);
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("had been durable");
    }

    @Test
    void damageInAFileThatIsNotTheLastIsRefused() throws IOException {
        try (BlockStore store = openSmall()) {
            fill(store, 3);
        }
        cut(segment(2), 1);
        assertThatThrownBy(this::openSmall)
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining(segment(2).toString());
    }

    @Test
    void missingFileIsRefused() throws IOException {
        try (BlockStore store = openSmall()) {
            fill(store, 3);
        }
        Files.delete(segment(2));
        assertThatThrownBy(this::openSmall)
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("a file is missing");
    }

    @Test
    void damageThatAppearsLaterIsNoticedOnReading() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 2);
            flip(segment(1), RecordHeader.SIZE + 30);
            assertThatThrownBy(() -> store.read(Height.FIRST))
                    .isInstanceOf(StoreUnusableException.class)
                    .hasMessageContaining("checksum");
        }
    }

    @Test
    void folderOfAnotherClusterOrSeatIsRefused() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 1);
        }
        Stream.of(SeatId.of("other", "blocks"), SeatId.of("test", "other"))
                .forEach(seat -> assertThatThrownBy(() -> BlockStore.open(folder, seat))
                        .isInstanceOf(StoreUnusableException.class)
                        .hasMessageContaining("belongs to test/blocks@1 (expected: " + seat + ")"));
    }

    @Test
    void theChainGoesOnInALaterEraButNeverBackInAnEarlierOne() throws IOException {
        SeatId later = new SeatId(Blocks.SEAT.cluster(), Blocks.SEAT.seat(), new Era(2));
        try (BlockStore store = openSmall()) {
            fill(store, 2);
        }
        try (BlockStore store = BlockStore.open(folder, later, 1, DiskFile::open)) {
            assertThat(store.height()).isEqualTo(new Height(2));
            store.append(Blocks.signed(CHAIN.get(2)));
            store.sync();
        }
        try (BlockStore store = BlockStore.open(folder, later)) {
            assertThat(store.height()).isEqualTo(new Height(3));
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("belongs to test/blocks@2 (expected: test/blocks@1)");
    }

    @Test
    void newerFormatIsRefused() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 1);
        }
        try (RandomAccessFile raw = new RandomAccessFile(segment(1).toFile(), "rw")) {
            raw.seek(8);
            raw.writeInt(2);
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("format version 2 (expected: 1)");
    }

    @Test
    void folderInUseIsRefused() throws IOException {
        BlockStore store = open();
        try (store) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(StoreUnusableException.class)
                    .hasMessageContaining("another running node uses this folder");
        }
        open().close();
    }

    @Test
    void fullDiskLeavesNothingHalfVisibleAndTheBlockCanBeTriedAgain() throws IOException {
        FailingFiles files = new FailingFiles();
        try (BlockStore store = BlockStore.open(folder, Blocks.SEAT, 1 << 20, files)) {
            fill(store, 2);
            long before = Files.size(segment(1));
            files.full(true);
            assertThatThrownBy(() -> store.append(Blocks.signed(CHAIN.get(2))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("nothing was stored");
            assertThat(store.height()).isEqualTo(new Height(2));
            assertThat(store.read(new Height(3))).isEmpty();
            assertThat(Files.size(segment(1))).isEqualTo(before);
            assertThatThrownBy(store::probe).hasMessageContaining("No space left on device");

            files.full(false);
            store.probe();
            store.append(Blocks.signed(CHAIN.get(2)));
            store.sync();
        }
        try (BlockStore store = open()) {
            assertThat(store.height()).isEqualTo(new Height(3));
        }
    }

    @Test
    void diskThatIsFullWhenAFileIsBegunLeavesNoFileBehind() throws IOException {
        FailingFiles files = new FailingFiles();
        try (BlockStore store = BlockStore.open(folder, Blocks.SEAT, 1, files)) {
            fill(store, 1);
            files.full(true);
            assertThatThrownBy(() -> store.append(Blocks.signed(CHAIN.get(1))))
                    .hasMessageContaining(segment(2) + ": cannot be created: No space left on device");
            assertThat(segment(2)).doesNotExist();
            files.full(false);
            store.append(Blocks.signed(CHAIN.get(1)));
            store.sync();
            assertThat(store.height()).isEqualTo(new Height(2));
        }
    }

    @Test
    void leftoverOfAFailedWriteThatCouldNotBeCutOffDoesNoHarm() throws IOException {
        FailingFiles files = new FailingFiles();
        try (BlockStore store = BlockStore.open(folder, Blocks.SEAT, 1 << 20, files)) {
            fill(store, 2);
            files.full(true);
            files.truncateFails(true);
            assertThatThrownBy(() -> store.append(Blocks.signed(CHAIN.get(2)))).isInstanceOf(IOException.class);
        }
        try (BlockStore store = open()) {
            assertThat(store.height()).isEqualTo(new Height(2));
        }
    }

    @Test
    void afterAFailedSyncTheStoreTakesNothingMoreUntilItIsReopened() throws IOException {
        FailingFiles files = new FailingFiles();
        try (BlockStore store = BlockStore.open(folder, Blocks.SEAT, 1 << 20, files)) {
            fill(store, 1);
            store.append(Blocks.signed(CHAIN.get(1)));
            files.syncFails(true);
            assertThatThrownBy(store::sync).hasMessageContaining("restart the node");
            files.syncFails(false);
            assertThatThrownBy(store::sync).hasMessageContaining("restart the node");
            assertThatThrownBy(() -> store.append(Blocks.signed(CHAIN.get(2))))
                    .hasMessageContaining("restart the node");
        }
        open().close();
    }

    @Test
    void interruptedThreadStillWritesAndTheStoreStaysOpen() throws IOException {
        try (BlockStore store = open()) {
            fill(store, 1);
            Thread.currentThread().interrupt();
            try {
                store.append(Blocks.signed(CHAIN.get(1)));
                store.sync();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(store.read(new Height(2))).contains(Blocks.signed(CHAIN.get(1)));
        }
    }
}
