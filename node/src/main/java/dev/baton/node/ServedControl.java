package dev.baton.node;

import dev.baton.control.rpc.ControlPlane;
import dev.baton.duty.Duty;
import dev.baton.node.config.SeatConfig;
import io.grpc.BindableService;
import java.util.List;

/** The audit as a node serves it: its peers bring their records here while it holds the seat. */
record ServedControl(ControlPlane plane) implements ServedDuty {

    @Override
    public String kind() {
        return SeatConfig.CONTROL;
    }

    @Override
    public Duty duty() {
        return plane.duty();
    }

    @Override
    public List<BindableService> services() {
        return List.of(plane.recordService());
    }
}
