package dev.baton.node;

import dev.baton.core.SeatId;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;

/** Makes the duty that a configuration names: a new kind is a new line here. */
public final class Duties {

    /** How a node comes to the duty of a seat. */
    @FunctionalInterface
    public interface Source {
        ServedDuty make(SeatId seat, SeatConfig seatConfig, NodeConfig config, DataFolder folder) throws NodeFailure;
    }

    private Duties() {}

    public static ServedDuty make(SeatId seat, SeatConfig seatConfig, NodeConfig config, DataFolder folder)
            throws NodeFailure {
        return switch (seatConfig.duty()) {
            case SeatConfig.SEQUENCER -> ServedSequencer.open(seat, seatConfig, config, folder);
            case SeatConfig.TOKENS -> new ServedTokens(seat, seatConfig, config);
            case SeatConfig.MEMPOOL -> ServedMempool.open(seat, seatConfig, config);
            case SeatConfig.PROCESS -> ServedProcess.open(seat, seatConfig, config);
            case SeatConfig.POSTGRES -> ServedPostgres.open(seatConfig, config);
            case SeatConfig.REMOTE -> ServedRemote.open(seat, seatConfig, config);
            default ->
                throw new NodeFailure(
                        ExitCode.CONFIGURATION,
                        "seats: " + seat.seat() + " has duty " + seatConfig.duty() + " (expected: one of "
                                + String.join(", ", SeatConfig.DUTIES) + ")");
        };
    }
}
