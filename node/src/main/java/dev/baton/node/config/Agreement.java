package dev.baton.node.config;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.core.timing.SeatTimings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The values that must be the same on all nodes of a cluster, by their keys.
 *
 * <p>Raft's members are not among them: they change while the nodes run, and Raft keeps them itself.
 */
public record Agreement(Map<String, String> values) {

    public Agreement {
        values = Map.copyOf(values);
    }

    public static Agreement of(NodeConfig config) {
        Map<String, String> values = new TreeMap<>();
        values.put("cluster", config.cluster().value());
        values.put("authority.kind", config.authority().kind());
        for (SeatConfig seat : config.seats()) {
            String at = "seats." + seat.name() + ".";
            SeatTimings timings = seat.timings();
            values.put(at + "duty", seat.duty());
            values.put(at + "era", seat.era().toString());
            values.put(at + "era-base", seat.eraBase().toString());
            values.put(at + "pulse.interval", timings.interval().toString());
            values.put(at + "pulse.timeout", timings.timeout().toString());
            values.put(
                    at + "pulse.failure-threshold",
                    Integer.toString(timings.policy().failureThreshold()));
            values.put(at + "takeover.delay", timings.takeoverDelay().toString());
            if (seat.handsOutTokens()) {
                seat.tokens().agreed().forEach((key, value) -> values.put(at + key, value));
            } else if (seat.keepsMempool()) {
                seat.mempool().agreed().forEach((key, value) -> values.put(at + key, value));
            } else if (seat.runsPostgres()) {
                seat.postgres().agreed().forEach((key, value) -> values.put(at + key, value));
            } else if (seat.duty().equals(SeatConfig.REMOTE)) {
                seat.remote().agreed().forEach((key, value) -> values.put(at + key, value));
            } else if (seat.duty().equals(SeatConfig.SEQUENCER)) {
                values.put(
                        at + "sequencer.max-block-bytes",
                        Integer.toString(seat.sequencer().settings().maxBlockBytes()));
                values.put(
                        at + "sequencer.max-transaction-bytes",
                        Integer.toString(seat.sequencer().settings().maxTransactionBytes()));
                seat.sequencer().signers().forEach((node, key) -> values.put(at + "sequencer.signers." + node, key));
            }
        }
        return new Agreement(values);
    }

    public Hash digest() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(values)
                .forEach((key, value) ->
                        text.append(key).append('=').append(value).append('\n'));
        return Hash.sha256(Bytes.utf8(text.toString()));
    }

    /** Where the two differ, in words. */
    public List<String> differences(String here, String there, Map<String, String> others) {
        TreeSet<String> keys = new TreeSet<>(values.keySet());
        keys.addAll(others.keySet());
        List<String> differences = new ArrayList<>();
        for (String key : keys) {
            String mine = values.get(key);
            String theirs = others.get(key);
            if (!Objects.equals(mine, theirs)) {
                differences.add(key + ": " + (mine == null ? "absent" : mine) + " at " + here + ", "
                        + (theirs == null ? "absent" : theirs) + " at " + there);
            }
        }
        return differences;
    }
}
