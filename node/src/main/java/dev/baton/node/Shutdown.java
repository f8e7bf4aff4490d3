package dev.baton.node;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what a node has opened, in an order that frees the seats first. */
final class Shutdown implements AutoCloseable {

    /** What is closed together; the stages follow each other as they stand here. */
    enum Stage {
        /** Resigns, so that others can take over while the rest is still being put away. */
        SEATS,
        PRESENCE,
        SERVERS,
        ENGINE,
        DUTIES,
        FOLDER
    }

    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private final Map<Stage, List<AutoCloseable>> opened = new EnumMap<>(Stage.class);

    <T extends AutoCloseable> T add(Stage stage, T resource) {
        synchronized (opened) {
            opened.computeIfAbsent(stage, key -> new ArrayList<>()).add(resource);
        }
        return resource;
    }

    @Override
    public void close() {
        for (Stage stage : Stage.values()) {
            List<AutoCloseable> resources;
            synchronized (opened) {
                List<AutoCloseable> left = opened.remove(stage);
                resources = left == null ? List.of() : List.copyOf(left);
            }
            if (!resources.isEmpty()) {
                long begunNanos = System.nanoTime();
                close(resources);
                LOG.info(
                        "closed {} in {} ms",
                        stage.name().toLowerCase(Locale.ROOT),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos));
            }
        }
    }

    /** All at once, because none of them should wait for another's timeout. */
    private static void close(List<AutoCloseable> resources) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            resources.forEach(resource -> threads.execute(() -> {
                try {
                    resource.close();
                } catch (Exception e) {
                    LOG.warn("closing {} failed; going on", resource, e);
                }
            }));
        }
    }
}
