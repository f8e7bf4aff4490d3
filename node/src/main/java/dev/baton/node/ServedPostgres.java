package dev.baton.node;

import dev.baton.duty.Duty;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.metrics.NodeMetrics;
import java.io.IOException;
import java.util.Optional;

/** A PostgreSQL as a node serves it: clients talk to the server itself. */
final class ServedPostgres implements ServedDuty {

    private final SeatConfig seat;
    private final PostgresDuty duty;

    private ServedPostgres(SeatConfig seat, PostgresDuty duty) {
        this.seat = seat;
        this.duty = duty;
    }

    static ServedPostgres open(SeatConfig seat, NodeConfig config) throws NodeFailure {
        try {
            return new ServedPostgres(seat, PostgresDuty.open(seat.postgres().settings(config), seat.timings()));
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.CONFIGURATION, "seats: " + seat.name() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeFailure(ExitCode.DEFECT, "seats: " + seat.name() + ": interrupted at the start", e);
        }
    }

    @Override
    public String kind() {
        return SeatConfig.POSTGRES;
    }

    @Override
    public Duty duty() {
        return duty;
    }

    @Override
    public Optional<PostgresDuty> postgres() {
        return Optional.of(duty);
    }

    @Override
    public void listen(NodeMetrics metrics) {
        metrics.add(seat.name().value(), duty);
    }

    @Override
    public void close() throws InterruptedException {
        duty.close();
    }
}
