package dev.baton.chaos.cluster;

import dev.baton.chaos.history.Held;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.util.List;

/** Reads the ledger out of an engine server itself, past the proxies and without the product's way of asking. */
public final class EngineReader {

    private final Cluster cluster;
    private final EngineKind kind;
    private final SeatId seat;

    public EngineReader(Cluster cluster, String authority) {
        this.cluster = cluster;
        this.kind = EngineKinds.of(authority);
        this.seat = SeatId.of(Layout.CLUSTER, cluster.ledgerSeat());
    }

    /** Everything that this server holds, the uncommitted tip included. */
    public List<Held> read(String engine) throws IOException, InterruptedException {
        return kind.read(cluster.engineBehind(engine), seat).stream()
                .flatMap(entry -> cluster.duty().held(entry).stream())
                .toList();
    }
}
