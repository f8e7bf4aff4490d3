package dev.baton.bench.tokens;

import dev.baton.bench.ProcessMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What the nodes take of memory and their engine of the disk, looked at every few seconds while others measure. */
final class Curves implements AutoCloseable {

    private static final double BYTES_A_MB = 1 << 20;

    private final TokenNodes nodes;
    private final long everySeconds;
    private final long beganNanos = System.nanoTime();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Map<String, Object>> points = new ArrayList<>();
    private final List<Double> heapsAfterCollection = new ArrayList<>();
    private final Thread looking;

    Curves(TokenNodes nodes, long everySeconds) {
        this.nodes = nodes;
        this.everySeconds = everySeconds;
        looking = Thread.ofPlatform().daemon().name("curves").start(this::look);
    }

    private void look() {
        try {
            do {
                Map<String, Object> point = point();
                synchronized (points) {
                    points.add(point);
                }
            } while (!over.await(everySeconds, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Object> point() throws IOException {
        double resident = 0;
        for (long pid : nodes.pids()) {
            resident = Math.max(resident, ProcessMemory.residentMegabytes(pid));
        }
        double disk = 0;
        for (Path folder : nodes.engineFolders()) {
            disk += megabytesOf(folder);
        }
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("second", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos));
        point.put("largestResidentMegabytes", Math.round(resident));
        point.put("diskMegabytes", Rounds.rounded(disk));
        return point;
    }

    private static double megabytesOf(Path folder) throws IOException {
        AtomicLong bytes = new AtomicLong();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE; // an engine takes old files away while we look
            }
        });
        return bytes.get() / BYTES_A_MB;
    }

    /** What the busiest node still holds after a full collection, in megabytes. Disturbs it: not while others measure. */
    void collectAndLook() throws IOException, InterruptedException {
        double most = 0;
        for (long pid : nodes.pids()) {
            most = Math.max(most, ProcessMemory.heapMegabytesAfterCollection(pid));
        }
        heapsAfterCollection.add(Rounds.rounded(most));
    }

    /** Memory at the end over memory at the beginning; not a number unless both were looked at. */
    double lastOverFirst() {
        return heapsAfterCollection.size() < 2
                ? Double.NaN
                : heapsAfterCollection.getLast() / heapsAfterCollection.getFirst();
    }

    Map<String, Object> summary() {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("heapAfterCollectionMegabytes", List.copyOf(heapsAfterCollection));
        synchronized (points) {
            summary.put("points", List.copyOf(points));
        }
        return summary;
    }

    @Override
    public void close() throws InterruptedException {
        over.countDown();
        looking.join();
    }
}
