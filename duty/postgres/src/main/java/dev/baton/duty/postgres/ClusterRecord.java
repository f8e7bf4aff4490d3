package dev.baton.duty.postgres;

import dev.baton.core.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
 * @param plan a switchover that is to come, so that whoever holds the seat then knows of it
 * @param history the last primaries, the newest at the end
 */
public record ClusterRecord(
        String systemId,
        String primary,
        String address,
        boolean serving,
        int timeline,
        Lsn position,
        List<String> complete,
        Optional<Plan> plan,
        List<Reign> history) {

    /** How many primaries are remembered: the record is committed at each pulse, so it must stay small. */
    private static final int MOST_REIGNS = 20;

    /** A switchover at a time of the wall clock, which is what people plan by. */
    public record Plan(String to, long atMillis) {}

    /** When a primary began, on which timeline and where in the log; the time is for people to read. */
    public record Reign(int timeline, String node, Lsn from, long sinceMillis) {}

    public static final ClusterRecord NONE =
            new ClusterRecord("", "", "", false, 0, Lsn.ZERO, List.of(), Optional.empty(), List.of());

    public ClusterRecord {
        complete = List.copyOf(new TreeSet<>(complete));
        history = List.copyOf(history.subList(Math.max(0, history.size() - MOST_REIGNS), history.size()));
    }

    /** The history with this primary at its end, if it is not there already. */
    List<Reign> historyWith(Reign reign) {
        if (!history.isEmpty() && history.getLast().timeline() == reign.timeline()) {
            return history;
        }
        return Stream.concat(history.stream(), Stream.of(reign)).toList();
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
                + plan.map(planned -> "\nplan=" + planned.to() + " " + planned.atMillis())
                        .orElse("")
                + "\nhistory="
                + history.stream()
                        .map(reign ->
                                reign.timeline() + " " + reign.node() + " " + reign.from() + " " + reign.sinceMillis())
                        .collect(Collectors.joining(","))
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
                complete.isEmpty() ? List.of() : List.of(complete.split(",")),
                Optional.ofNullable(values.get("plan")).map(ClusterRecord::plan),
                reigns(values.getOrDefault("history", "")));
    }

    private static Plan plan(String text) {
        String[] words = text.split(" ", 2);
        return new Plan(words[0], Long.parseLong(words[1]));
    }

    private static List<Reign> reigns(String text) {
        List<Reign> reigns = new ArrayList<>();
        for (String one : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] words = one.split(" ", 4);
            reigns.add(new Reign(Integer.parseInt(words[0]), words[1], Lsn.parse(words[2]), Long.parseLong(words[3])));
        }
        return reigns;
    }
}
