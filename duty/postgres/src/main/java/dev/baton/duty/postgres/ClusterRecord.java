package dev.baton.duty.postgres;

import dev.baton.core.Bytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What each pulse commits: all that the nodes must know of the database, so the last one is enough.
 *
 * @param systemId PostgreSQL's own name for this database cluster; empty until it is initialised
 * @param primary the node that holds the seat
 * @param address where its server listens
 * @param serving whether it has been promoted; before that {@code timeline} and {@code position} are its predecessor's
 * @param timeline the primary's timeline
 * @param position up to where the primary's log was on its disk
 * @param complete INV-24: the nodes that surely have every commit that a client was told of
 */
public record ClusterRecord(
        String systemId,
        String primary,
        String address,
        boolean serving,
        int timeline,
        Lsn position,
        List<String> complete) {

    public static final ClusterRecord NONE = new ClusterRecord("", "", "", false, 0, Lsn.ZERO, List.of());

    public ClusterRecord {
        complete = List.copyOf(new TreeSet<>(complete));
    }

    public boolean isInitialised() {
        return !systemId.isEmpty();
    }

    public String host() {
        return address.substring(0, address.lastIndexOf(':'));
    }

    public int port() {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    Bytes encode() {
        return Bytes.utf8("system=" + systemId
                + "\nprimary=" + primary
                + "\naddress=" + address
                + "\nserving=" + serving
                + "\ntimeline=" + timeline
                + "\nposition=" + position
                + "\ncomplete=" + String.join(",", complete)
                + "\n");
    }

    static ClusterRecord decode(Bytes payload) {
        Map<String, String> values = new LinkedHashMap<>();
        payload.toUtf8().lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        String complete = values.getOrDefault("complete", "");
        return new ClusterRecord(
                values.getOrDefault("system", ""),
                values.getOrDefault("primary", ""),
                values.getOrDefault("address", ""),
                Boolean.parseBoolean(values.getOrDefault("serving", "false")),
                Integer.parseInt(values.getOrDefault("timeline", "0")),
                Lsn.parse(values.getOrDefault("position", "0/0")),
                complete.isEmpty() ? List.of() : List.of(complete.split(",")));
    }
}
