package dev.baton.sim;

/** Decides when faults strike, and counts them. It is thrown four times a second. */
final class FaultDice {

    static final long EACH_NANOS = 250_000_000L;

    private final World world;
    private int faults;

    FaultDice(World world) {
        this.world = world;
    }

    void strike(double perSecond, Runnable fault) {
        if (world.chance(perSecond * EACH_NANOS / 1e9)) {
            faults++;
            fault.run();
        }
    }

    int faults() {
        return faults;
    }
}
