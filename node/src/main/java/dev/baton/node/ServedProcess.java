package dev.baton.node;

import dev.baton.core.SeatId;
import dev.baton.duty.Duty;
import dev.baton.duty.process.ProcessDuty;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.metrics.NodeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process of the user's, as a node serves it: in a folder of its own within the node's data. */
final class ServedProcess implements ServedDuty {

    private final SeatConfig seat;
    private final ProcessDuty duty;

    private ServedProcess(SeatConfig seat, ProcessDuty duty) {
        this.seat = seat;
        this.duty = duty;
    }

    static ServedProcess open(SeatId seat, SeatConfig seatConfig, NodeConfig config) throws NodeFailure {
        try {
            Path folder = Files.createDirectories(
                            config.data().resolve("process").resolve(seat.seat().value()))
                    .toRealPath();
            return new ServedProcess(
                    seatConfig, ProcessDuty.open(seat, seatConfig.process().settings(folder), seatConfig.timings()));
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.CONFIGURATION, "seats: " + seat.seat() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeFailure(ExitCode.DEFECT, "seats: " + seat.seat() + ": interrupted at the start", e);
        }
    }

    @Override
    public String kind() {
        return SeatConfig.PROCESS;
    }

    @Override
    public Duty duty() {
        return duty;
    }

    @Override
    public void listen(NodeMetrics metrics) {
        metrics.add(seat.name().value(), duty.count());
    }

    @Override
    public void close() {
        duty.close();
    }
}
