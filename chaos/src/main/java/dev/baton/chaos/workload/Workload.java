package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All who work and look while faults happen. */
public final class Workload implements AutoCloseable {

    private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);

    private final List<Client> clients = new ArrayList<>();
    private final List<Thread> clientThreads = new ArrayList<>();
    private final List<Thread> lookingThreads = new ArrayList<>();
    private volatile boolean working = true;
    private volatile boolean looking = true;

    private Workload() {}

    /** Everybody begins at once. */
    public static Workload start(Cluster cluster, DutyKind duty, long seed, Recorder recorder)
            throws IOException, InterruptedException {
        duty.prepare(cluster);
        Workload workload = new Workload();
        workload.clients.addAll(duty.clients(new Scene(cluster, recorder, () -> workload.working), seed));
        for (Client each : workload.clients) {
            workload.clientThreads.add(Thread.ofVirtual().name(each.name()).start(each));
        }
        Scene scene = new Scene(cluster, recorder, () -> workload.looking);
        for (String node : cluster.nodes()) {
            workload.lookingThreads.add(Thread.ofVirtual().start(() -> new Onlookers(scene).sample(node)));
            for (Runnable each : duty.onlookers(scene, node)) {
                workload.lookingThreads.add(Thread.ofVirtual().start(each));
            }
        }
        return workload;
    }

    /** No new requests; returns when those under way have ended, or will not. */
    public void stopWorking() throws InterruptedException {
        working = false;
        long deadlineNanos = System.nanoTime() + LAST_ANSWERS.toNanos();
        for (Thread each : clientThreads) {
            each.join(Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())));
        }
        clientThreads.forEach(Thread::interrupt);
    }

    @Override
    public void close() {
        working = false;
        looking = false;
        clientThreads.forEach(Thread::interrupt);
        lookingThreads.forEach(Thread::interrupt);
        clients.forEach(Client::close);
    }
}
