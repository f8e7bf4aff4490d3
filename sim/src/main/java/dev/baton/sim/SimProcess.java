package dev.baton.sim;

import dev.baton.seat.DutyRunner;
import dev.baton.seat.Loop;
import java.util.function.Supplier;

/**
 * One simulated process: its loop, its duty thread, and a clock that runs at a rate of its own.
 *
 * <p>A pause stops everything in it but not the world, as SIGSTOP or a garbage collection does. A crash drops
 * everything in it for good; a restarted node is a new process.
 */
final class SimProcess implements Loop, DutyRunner {

    private final World world;
    private final double clockRate;
    private final long bornNanos;
    private long pausedUntilNanos;
    private long dutyBusyUntilNanos;
    private boolean crashed;

    SimProcess(World world, double clockRate) {
        this.world = world;
        this.clockRate = clockRate;
        this.bornNanos = world.nowNanos();
    }

    /** An arbitrary beginning, so that nobody can compare two processes' clocks by accident. */
    @Override
    public long nanos() {
        return Long.MAX_VALUE / 3 + (long) ((world.nowNanos() - bornNanos) * clockRate);
    }

    @Override
    public long wallMillis() {
        return 1_800_000_000_000L + world.nowNanos() / 1_000_000;
    }

    @Override
    public void post(Runnable task) {
        inProcess(world.nowNanos(), task);
    }

    @Override
    public Timer schedule(long atNanos, Runnable task) {
        long delayNanos = (long) Math.ceil((atNanos - nanos()) / clockRate);
        boolean[] cancelled = new boolean[1];
        inProcess(world.nowNanos() + Math.max(0, delayNanos), () -> {
            if (!cancelled[0]) {
                task.run();
            }
        });
        return () -> cancelled[0] = true;
    }

    private void inProcess(long atNanos, Runnable task) {
        world.at(atNanos, () -> {
            if (crashed) {
                return;
            }
            if (world.nowNanos() < pausedUntilNanos) {
                inProcess(pausedUntilNanos, task);
            } else {
                task.run();
            }
        });
    }

    /** A duty call takes a moment, and as long as the duty thread is made to hang. */
    @Override
    public void run(Supplier<Runnable> call) {
        long beginNanos = Math.max(world.nowNanos(), dutyBusyUntilNanos);
        long endNanos = beginNanos + world.between(1_000, 200_000);
        dutyBusyUntilNanos = endNanos;
        inProcess(endNanos, () -> post(call.get()));
    }

    /** A simulated call happens in one moment, so there is never one to interrupt. */
    @Override
    public void interrupt() {}

    @Override
    public void close() {}

    void pauseUntil(long worldNanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, worldNanos);
    }

    void hangDutyUntil(long worldNanos) {
        dutyBusyUntilNanos = Math.max(dutyBusyUntilNanos, worldNanos);
    }

    void crash() {
        crashed = true;
    }

    boolean isCrashed() {
        return crashed;
    }
}
