package dev.baton.duty.mempool.watch;

import static dev.baton.duty.mempool.Samples.hashes;
import static dev.baton.duty.mempool.Samples.point;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFeedTest {

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("chain");
    }

    private static BlockFeed.Next after(FileFeed feed, Point cursor) throws Exception {
        return feed.after(cursor, Duration.ZERO);
    }

    @Test
    void blocksAreFoundAfterAnyPlaceAndAFileThatGrowsIsReadOn() throws Exception {
        FileFeed feed = new FileFeed(file());
        assertThat(after(feed, Point.ORIGIN)).isInstanceOf(BlockFeed.Next.Nothing.class);
        FileFeed.append(file(), point(1), hashes(1, 2));
        assertThat(after(feed, Point.ORIGIN))
                .isEqualTo(new BlockFeed.Next.Found(new ChainBlock(point(1), Point.ORIGIN, hashes(1, 2))));
        assertThat(after(feed, point(1))).isInstanceOf(BlockFeed.Next.Nothing.class);
        FileFeed.append(file(), point(2), List.of());
        assertThat(after(feed, point(1)))
                .isEqualTo(new BlockFeed.Next.Found(new ChainBlock(point(2), point(1), List.of())));
        assertThat(after(new FileFeed(file()), point(1))).isInstanceOf(BlockFeed.Next.Found.class);
    }

    @Test
    void aPlaceThatIsNotOnTheChainAnyMoreIsUndone() throws Exception {
        FileFeed feed = new FileFeed(file());
        FileFeed.append(file(), point(1), List.of());
        FileFeed.append(file(), point(2), List.of());
        after(feed, point(1));
        FileFeed.undo(file());
        FileFeed.append(file(), point(2, "fork"), List.of());
        assertThat(after(feed, point(2))).isInstanceOf(BlockFeed.Next.Undone.class);
        assertThat(after(feed, point(1)))
                .isEqualTo(new BlockFeed.Next.Found(new ChainBlock(point(2, "fork"), point(1), List.of())));
    }

    @Test
    void halfALineIsNotReadBeforeItIsWhole() throws Exception {
        FileFeed feed = new FileFeed(file());
        String line = "+ " + point(1) + " " + hashes(1).getFirst() + " .\n";
        Files.writeString(file(), line.substring(0, 100));
        assertThat(after(feed, Point.ORIGIN)).isInstanceOf(BlockFeed.Next.Nothing.class);
        Files.writeString(file(), line.substring(100), StandardOpenOption.APPEND);
        assertThat(after(feed, Point.ORIGIN)).isInstanceOf(BlockFeed.Next.Found.class);
    }

    @Test
    void aLineThatMakesNoSenseIsNamed() throws Exception {
        Files.writeString(file(), "hello .\n");
        assertThatThrownBy(() -> after(new FileFeed(file()), Point.ORIGIN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 1: hello (expected: + point hash");
    }
}
