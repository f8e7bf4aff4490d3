package dev.baton.node.config;

import dev.baton.core.ClusterId;
import dev.baton.core.Era;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
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
 * @param era how often the seat was begun anew, counted from 1; raised only as {@code baton recover} says
 * @param eraBase the last height of the era before, which this one goes on from; zero in the first
 * @param evidence whether this node asks for the seat as soon as it has evidence that the holder's process is gone
 */
public record SeatConfig(
        SeatName name,
        Era era,
        Height eraBase,
        String duty,
        SeatTimings timings,
        LedgerLimits keep,
        boolean evidence,
        SequencerConfig sequencer,
        TokensConfig tokens,
        MempoolConfig mempool,
        PostgresConfig postgres,
        ProcessConfig process,
        RemoteConfig remote) {

    public static final String SEQUENCER = "sequencer";
    public static final String TOKENS = "tokens";
    public static final String MEMPOOL = "mempool";
    public static final String POSTGRES = "postgres";
    public static final String PROCESS = "process";
    public static final String REMOTE = "remote";
    public static final List<String> DUTIES = List.of(SEQUENCER, TOKENS, MEMPOOL, POSTGRES, PROCESS, REMOTE);

    /** The duty, and the name, of the seat that keeps the audit; a node with a control section has it, no file names it. */
    public static final String CONTROL = "control";

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

    /**
     * The seat that keeps the audit, beside this one and with its times: the longest lease of all seats is the engine's, so
     * a longer one here would slow the takeover of the others.
     */
    SeatConfig withControl() {
        return new SeatConfig(
                new SeatName(CONTROL),
                Era.FIRST,
                Height.ZERO,
                CONTROL,
                timings,
                keep,
                evidence,
                sequencer,
                tokens,
                mempool,
                postgres,
                process,
                remote);
    }

    public boolean keepsAudit() {
        return duty.equals(CONTROL);
    }

    /** What the seat is called wherever epochs are compared. */
    public SeatId id(ClusterId cluster) {
        return new SeatId(cluster, name, era);
    }

    public boolean handsOutTokens() {
        return duty.equals(TOKENS);
    }

    public boolean keepsMempool() {
        return duty.equals(MEMPOOL);
    }

    public boolean runsPostgres() {
        return duty.equals(POSTGRES);
    }

    /** Whether only stopping a process fences its effects, so that the times of a takeover matter most. */
    public boolean isFencedByStopping() {
        return runsPostgres() || duty.equals(PROCESS) || duty.equals(REMOTE);
    }

    List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>(
                switch (duty) {
                    case TOKENS -> tokens.faults(prefix + "tokens.", keep);
                    case MEMPOOL -> mempool.faults(prefix + "mempool.");
                    case POSTGRES -> postgres.faults(prefix, timings);
                    case PROCESS -> process.faults(prefix, timings);
                    case REMOTE -> remote.faults(prefix, timings);
                    default -> sequencer.settings().faults(prefix + "sequencer.");
                });
        if (era.equals(Era.FIRST) && !eraBase.equals(Height.ZERO)) {
            faults.add(new Fault(
                    prefix + "era-base", eraBase.toString(), "no such key in era 1, which begins at the beginning"));
        }
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
