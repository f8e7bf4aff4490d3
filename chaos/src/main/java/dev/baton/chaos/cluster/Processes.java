package dev.baton.chaos.cluster;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** All processes of a cluster, by name. Thread-safe once all are there. */
final class Processes {

    private final Map<String, ChildProcess> all = new LinkedHashMap<>();

    void add(ChildProcess process) {
        all.put(process.name(), process);
    }

    ChildProcess of(String name) {
        ChildProcess process = all.get(name);
        if (process == null) {
            throw new IllegalArgumentException("process: " + name + " (expected: one of " + all.keySet() + ")");
        }
        return process;
    }

    Collection<ChildProcess> all() {
        return all.values();
    }

    /** Those that run now. */
    Map<String, Long> pids() {
        Map<String, Long> pids = new LinkedHashMap<>();
        all.values().forEach(each -> each.pid().ifPresent(pid -> pids.put(each.name(), pid)));
        return pids;
    }

    /** Kills whatever runs; nothing is started again. */
    void end() {
        all.values().forEach(ChildProcess::retire); // a fault that is being undone would start them again
        for (ChildProcess each : all.values()) {
            try {
                each.kill();
            } catch (IOException e) {
                System.err.println(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
