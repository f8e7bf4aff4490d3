package dev.baton.chaos.nemesis;

import dev.baton.chaos.nemesis.Nemesis.Begun;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whose process is being hurt now: a second fault on the same one would undo the first. Thread-safe. */
final class Busy {

    private final Set<String> names = new HashSet<>();

    /** What is done to one process. */
    interface Deed {
        void does(String name) throws IOException, InterruptedException;
    }

    /** Whether it was free; it is taken from now on. */
    synchronized boolean take(String name) {
        return names.add(name);
    }

    synchronized void release(String name) {
        names.remove(name);
    }

    /**
     * Hurts a process that was taken; it is free again when the fault is over, or could not begin.
     *
     * @param repair what a process needs that was hurt by half: one that was killed must not stay dead
     */
    Begun hurt(String name, Deed begin, Deed end, Deed repair) throws IOException, InterruptedException {
        try {
            begin.does(name);
        } catch (IOException | InterruptedException | RuntimeException e) {
            repair(name, repair, e);
            throw e;
        }
        return new Begun() {
            @Override
            public List<String> targets() {
                return List.of(name);
            }

            @Override
            public void end() throws IOException, InterruptedException {
                try {
                    end.does(name);
                } finally {
                    release(name);
                }
            }
        };
    }

    private void repair(String name, Deed repair, Exception cause) {
        try {
            repair.does(name);
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            release(name);
        }
    }
}
