package dev.baton.node;

import dev.baton.authority.nats.NatsAuthority;
import dev.baton.authority.nats.seat.ServerState;
import dev.baton.core.SeatId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The NATS servers, and what each does for the stream of a seat. */
record NatsNodes(NatsAuthority nats) implements EngineNodes {

    @Override
    public List<State> of(SeatId seat) throws InterruptedException {
        return Asked.answer(nats.seat(seat).servers()).orElse(List.of()).stream()
                .map(NatsNodes::state)
                .toList();
    }

    private static State state(ServerState server) {
        return new State(
                server.address(),
                member(server.part()),
                server.copy()
                        .map(copy -> Copy.of(copy.highest(), copy.seating(), copy.head()))
                        .orElse(null),
                health(server),
                server.name().map(name -> "server " + name).orElse("")
                        + (server.lag() > 0 ? ", " + server.lag() + " operations behind" : ""),
                server.trouble().orElse(""));
    }

    private static @Nullable String member(ServerState.Part part) {
        return switch (part) {
            case LEADER -> "leads the stream";
            case REPLICA -> "replica";
            case NONE, UNKNOWN -> null;
        };
    }

    private static Health health(ServerState server) {
        if (server.trouble().isPresent()) {
            return server.silent() ? Health.SILENT : Health.AMISS;
        }
        return server.part() == ServerState.Part.REPLICA && server.copy().isEmpty() ? Health.LAGGING : Health.WELL;
    }

    @Override
    public Optional<String> change(SeatId seat, Optional<String> leaving, Optional<String> arriving) {
        return Optional.of("NATS changes the servers of a stream itself (expected: nats stream cluster peer-remove)");
    }

    @Override
    public boolean areCountedHere() {
        return false;
    }
}
