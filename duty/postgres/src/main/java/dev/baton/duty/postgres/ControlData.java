package dev.baton.duty.postgres;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a data folder says of itself while no server runs in it.
 *
 * @param floors what a standby must at least be configured with
 * @param wasPrimary whether it was last written by a primary, so that it may have what no other server has
 */
record ControlData(String systemId, int timeline, boolean wasPrimary, Map<String, Integer> floors) {

    /** A standby refuses to start with less of these than its log was written with. */
    private static final List<String> FLOORS = List.of(
            "max_connections", "max_worker_processes", "max_wal_senders", "max_prepared_xacts", "max_locks_per_xact");

    /** Reads what {@code pg_controldata} prints in the language C. */
    static ControlData parse(String printed) {
        Map<String, String> values = printed.lines()
                .filter(line -> line.contains(":"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')).strip(),
                        line -> line.substring(line.indexOf(':') + 1).strip(),
                        (first, second) -> first));
        String system = values.getOrDefault("Database system identifier", "");
        String timeline = values.getOrDefault("Latest checkpoint's TimeLineID", "");
        String recovery = values.getOrDefault("Min recovery ending loc's timeline", "0");
        String state = values.getOrDefault("Database cluster state", "");
        if (system.isEmpty() || timeline.isEmpty()) {
            throw new IllegalArgumentException(
                    "pg_controldata: no system identifier or timeline (expected: as PostgreSQL 14 to 18 print them)");
        }
        return new ControlData(
                system,
                Math.max(Integer.parseInt(timeline), Integer.parseInt(recovery)),
                !state.contains("recovery"),
                FLOORS.stream()
                        .filter(name -> values.containsKey(name + " setting"))
                        .collect(Collectors.toMap(
                                ControlData::parameter,
                                name -> Integer.parseInt(values.getOrDefault(name + " setting", "0")))));
    }

    private static String parameter(String name) {
        return switch (name) {
            case "max_prepared_xacts" -> "max_prepared_transactions";
            case "max_locks_per_xact" -> "max_locks_per_transaction";
            default -> name;
        };
    }
}
