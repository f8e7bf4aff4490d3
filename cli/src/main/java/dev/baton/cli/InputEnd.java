package dev.baton.cli;

import java.io.IOException;

/** Ends this process when its standard input ends, as it does when the process at its other end is gone. */
public final class InputEnd {

    private static final long STOP_MILLIS = 5_000;
    private static final int HALTED = 1;

    private InputEnd() {}

    /** From now on, in the background. */
    public static void stopsThisProcess() {
        Thread.ofPlatform().daemon().name("input").start(InputEnd::stopWhenInputEnds);
    }

    private static void stopWhenInputEnds() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever said, only the end matters
            }
        } catch (IOException e) {
            // as good as an end
        }
        Thread.ofPlatform().daemon().name("halt").start(InputEnd::haltLater);
        System.exit(0);
    }

    /** Nobody is left to end a process that does not end by itself. */
    private static void haltLater() {
        try {
            Thread.sleep(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(HALTED);
    }
}
