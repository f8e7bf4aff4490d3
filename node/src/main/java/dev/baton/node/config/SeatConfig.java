package dev.baton.node.config;

import dev.baton.core.NodeId;
import dev.baton.core.SeatName;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.sequencer.SequencerSettings;
import dev.baton.seat.LedgerLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One seat that this node serves.
 *
 * @param evidence whether this node asks for the seat as soon as it has evidence that the holder's process is gone
 */
public record SeatConfig(
        SeatName name,
        String duty,
        SeatTimings timings,
        LedgerLimits keep,
        boolean evidence,
        SequencerConfig sequencer) {

    public static final String SEQUENCER = "sequencer";
    public static final List<String> DUTIES = List.of(SEQUENCER);

    /**
     * What only a sequencer's seat has.
     *
     * @param signers the public keys of the nodes whose blocks are believed
     * @param dataAvailability where committed blocks are published; a folder within the data folder if absent
     */
    public record SequencerConfig(
            SequencerSettings settings, Map<NodeId, String> signers, Optional<Path> dataAvailability) {

        public SequencerConfig {
            signers = Map.copyOf(signers);
        }
    }

    List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>(sequencer.settings().faults(prefix + "sequencer."));
        for (Fault fault : timings.faults("")) {
            faults.add(new Fault(prefix + place(fault.key()), fault.value(), fault.expected()));
        }
        return faults;
    }

    /** Where the file has what the timings call so. */
    private static String place(String key) {
        return switch (key) {
            case "interval", "timeout" -> "pulse." + key;
            case "takeover-delay" -> "takeover.delay";
            default -> "takeover." + key;
        };
    }
}
