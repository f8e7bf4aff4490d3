package dev.baton.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FeedTest {

    /** A source whose height is set by hand. */
    private static final class Stub implements Feed.Source {
        final AtomicInteger watches = new AtomicInteger();
        final AtomicInteger looks = new AtomicInteger();
        volatile long height = 3;
        volatile boolean broken;
        volatile Runnable changed = () -> {};

        @Override
        public Feed.Watch watch(Runnable asked) {
            watches.incrementAndGet();
            changed = asked;
            return watches::decrementAndGet;
        }

        @Override
        public Picture look() {
            looks.incrementAndGet();
            if (broken) {
                throw new IllegalStateException("on purpose");
            }
            long top = height;
            return new Picture(
                    Long.toString(top),
                    Bytes.utf8("{\"top\":" + top + "}"),
                    LongStream.rangeClosed(1, top)
                            .mapToObj(at -> new Picture.Block(at, Bytes.utf8("{\"height\":" + at + "}")))
                            .toList());
        }

        void grow(long to) {
            height = to;
            changed.run();
        }
    }

    private final Stub source = new Stub();
    private final Feed feed = new Feed(source);
    private final List<Thread> readers = new ArrayList<>();

    private void read(OutputStream out, long seenHeight) {
        readers.add(Thread.ofVirtual().start(() -> {
            try {
                feed.stream(out, seenHeight);
            } catch (IOException e) {
                // the reader left
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    /** So many readers, each of which has got the first picture. */
    private List<ByteArrayOutputStream> readBy(int number) {
        List<ByteArrayOutputStream> outs = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            outs.add(out);
            read(out, 0);
        }
        await().until(() -> outs.stream().allMatch(out -> text(out).contains("id: 3\n")));
        return outs;
    }

    private static String text(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8);
    }

    @AfterEach
    void close() throws InterruptedException {
        feed.close();
        readers.forEach(Thread::interrupt);
        for (Thread reader : readers) {
            reader.join();
        }
    }

    @Test
    void aNewReaderGetsThePictureWithTheNewestBlocks() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        read(out, 0);

        await().until(() -> text(out).contains("event: picture"));
        assertThat(text(out))
                .contains(
                        "id: 3\nevent: picture\ndata: {\"state\":{\"top\":3},\"blocks\":[{\"height\":1},{\"height\":2},"
                                + "{\"height\":3}]}\n\n");
    }

    @Test
    void aReaderThatComesBackGetsOnlyTheBlocksItHasNotSeen() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        read(out, 2);

        await().until(() -> text(out).contains("event: picture"));
        assertThat(text(out)).contains("\"blocks\":[{\"height\":3}]}").doesNotContain("{\"height\":2}");
    }

    /** A new cluster at the address of an old one: its first blocks are news, and so is each that follows. */
    @Test
    void aReaderThatSawALongerLedgerThanThereIsGetsTheBlocksOfThisOne() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        read(out, 50);

        await().until(() -> text(out).contains("event: picture"));
        assertThat(text(out))
                .contains("id: 3\n")
                .contains("\"blocks\":[{\"height\":1},{\"height\":2},{\"height\":3}]}");

        source.grow(4);
        await().until(() -> text(out).contains("id: 4\n"));
        assertThat(text(out)).contains("\"blocks\":[{\"height\":4}]}");
    }

    @Test
    void aReaderThatWasAwayForLongGetsAHundredBlocksAtMost() {
        source.height = 1000;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        read(out, 5);

        await().until(() -> text(out).contains("event: picture"));
        assertThat(text(out)).contains("\"blocks\":[{\"height\":901}").contains("{\"height\":1000}]");
    }

    @Test
    void theMoreLookTheLongerIsWaitedForTheNextPicture() {
        var unused = readBy(300);
        int looksBefore = source.looks.get();
        long beganNanos = System.nanoTime();

        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            source.grow(source.height + 1);
            return source.looks.get() >= looksBefore + 5;
        });

        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
                .isGreaterThanOrEqualTo(Feed.WIDEST_SPACING.multipliedBy(4));
    }

    @Test
    void newsIsShownToEverybodyFromOneLook() {
        List<ByteArrayOutputStream> outs = readBy(100);
        int before = source.looks.get();
        long beganNanos = System.nanoTime();

        source.grow(4);

        await().until(() -> outs.stream().allMatch(out -> text(out).contains("id: 4\n")));
        long spentMillis = (System.nanoTime() - beganNanos) / 1_000_000;
        assertThat(source.looks.get() - before)
                .as("looks within %d ms", spentMillis)
                .isLessThanOrEqualTo((int) (spentMillis / Feed.SPACING.toMillis()) + 2);
        assertThat(source.watches).hasValue(1);
    }

    @Test
    void nobodyLooksWhileNobodyListens() {
        assertThat(source.watches).hasValue(0);
        CountDownLatch gone = new CountDownLatch(1);
        read(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException("this reader has left");
                    }

                    @Override
                    public void write(byte[] bytes, int from, int count) throws IOException {
                        gone.countDown();
                        throw new IOException("this reader has left");
                    }
                },
                0);

        await().until(() -> gone.getCount() == 0 && source.watches.get() == 0 && feed.listeners() == 0);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        source.height = 7;
        read(out, 0);
        await().until(() -> text(out).contains("id: "));
        assertThat(text(out)).as("not the picture of before").contains("id: 7\n");
    }

    @Test
    void aSlowReaderSkipsPicturesButNoBlock() {
        CountDownLatch slow = new CountDownLatch(1);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        read(
                new OutputStream() {
                    @Override
                    public void write(int one) {
                        got.write(one);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int count) throws IOException {
                        got.write(bytes, from, count);
                        if (text(got).contains("id: 3\n")) {
                            try {
                                slow.await();
                            } catch (InterruptedException e) {
                                throw new IOException(e);
                            }
                        }
                    }
                },
                0);
        ByteArrayOutputStream quick = new ByteArrayOutputStream();
        read(quick, 0);
        await().until(() -> text(got).contains("id: 3\n") && text(quick).contains("id: 3\n"));
        for (int height = 4; height <= 8; height++) {
            int next = height;
            source.grow(next);
            await().until(() -> text(quick).contains("id: " + next + "\n"));
        }

        slow.countDown();

        await().until(() -> text(got).contains("id: 8\n"));
        assertThat(text(got)).doesNotContain("id: 5\n").contains("[{\"height\":4},{\"height\":5},{\"height\":6}");
    }

    @Test
    void aSourceThatFailsEndsTheStreamAndIsAskedAgainByWhoComesBack() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        read(out, 0);
        await().until(() -> text(out).contains("id: 3\n"));

        source.broken = true;
        readers.getFirst().join(); // ends by itself
        assertThat(feed.listeners()).isZero();

        source.broken = false;
        ByteArrayOutputStream again = new ByteArrayOutputStream();
        read(again, 0);
        await().until(() -> text(again).contains("id: 3\n"));
    }
}
