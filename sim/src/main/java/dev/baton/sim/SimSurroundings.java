package dev.baton.sim;

import dev.baton.authority.redis.quorum.Surroundings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** Time, order and chance of one simulated process: a pause stops them, a crash ends them. */
final class SimSurroundings implements Surroundings {

    private final World world;
    private final SimProcess process;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    SimSurroundings(World world, SimProcess process) {
        this.world = world;
        this.process = process;
    }

    @Override
    public long nanos() {
        return process.nanos();
    }

    @Override
    public void run(Runnable task) {
        waiting.add(task);
        if (running) {
            return;
        }
        running = true;
        try {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                next.run();
            }
        } finally {
            running = false;
        }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        boolean[] cancelled = new boolean[1];
        process.schedule(
                process.nanos() + delay.toNanos(),
                () -> run(() -> {
                    if (!cancelled[0]) {
                        task.run();
                    }
                }));
        return () -> cancelled[0] = true;
    }

    @Override
    public RandomGenerator random() {
        return world.random();
    }
}
