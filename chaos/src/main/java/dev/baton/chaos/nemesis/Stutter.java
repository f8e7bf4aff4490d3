package dev.baton.chaos.nemesis;

import dev.baton.chaos.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A process that stands still and goes on in short strokes, by SIGSTOP and SIGCONT: what others see of one whose disk is
 * slow. Unlike a slow disk it also holds up what needs no disk.
 */
final class Stutter {

    private final Cluster cluster;
    private final Duration stroke;
    private final AtomicReference<Optional<Thread>> strokes = new AtomicReference<>(Optional.empty());

    Stutter(Cluster cluster, Duration stroke) {
        this.cluster = cluster;
        this.stroke = stroke;
    }

    void begin(String name) throws IOException, InterruptedException {
        cluster.freeze(name); // here, so that one that cannot be stopped is told at once
        strokes.set(Optional.of(Thread.ofVirtual().name("stutter of " + name).start(() -> goOn(name))));
    }

    private void goOn(String name) {
        try {
            while (true) {
                Thread.sleep(stroke);
                cluster.wake(name);
                Thread.sleep(stroke);
                cluster.freeze(name);
            }
        } catch (IOException e) {
            // It is gone: whoever killed it starts it again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void end(String name) throws IOException, InterruptedException {
        Optional<Thread> running = strokes.getAndSet(Optional.empty());
        if (running.isPresent()) {
            running.get().interrupt();
            running.get().join();
        }
        if (cluster.isAlive(name)) {
            cluster.wake(name);
        } else {
            cluster.start(name); // it did not survive that
        }
    }
}
