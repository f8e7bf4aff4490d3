package dev.baton.authority.nats.seat;

import dev.baton.authority.nats.seat.ServerState.Copy;
import dev.baton.authority.nats.seat.ServerState.Part;
import dev.baton.authority.nats.wire.Answer;
import dev.baton.authority.nats.wire.Refusal;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.authority.nats.wire.Servers;
import dev.baton.core.Epoch;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.Replica;
import io.nats.client.api.StreamInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks through every server how a seat's stream stands: one short question each, and one for the seat itself. Only a
 * stream's leader knows who is behind, so what is shown of the others is what it says.
 */
record Survey(SeatView view) {

    /** Whoever takes longer is as good as away for somebody who looks. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    List<ServerState> run() {
        List<Servers.Told> told = view.line().tellEach(PATIENCE);
        Optional<StreamInfo> stream = told.stream()
                .flatMap(one -> one.reply() instanceof Reply.Got<Answer> got
                        ? Optional.of(new StreamInfo(got.value().message())).stream()
                        : Optional.<StreamInfo>empty().stream())
                .findFirst();
        Optional<Copy> copy = stream.isPresent() ? copy() : Optional.empty();
        return told.stream().map(one -> state(one, stream, copy)).toList();
    }

    private Optional<Copy> copy() {
        if (!(view.refresh(view.bound()) instanceof Reply.Got<Observation> got)) {
            return Optional.empty();
        }
        SeatState state = got.value().sight().state();
        return Optional.of(new Copy(
                state.last().map(last -> last.seating().term().epoch()).orElse(Epoch.NONE),
                got.value().seating(view.knowledge().policy()),
                state.head()));
    }

    private static ServerState state(Servers.Told told, Optional<StreamInfo> stream, Optional<Copy> copy) {
        boolean silent = told.reply() instanceof Reply.Unsent<Answer> || told.reply() instanceof Reply.Lost<Answer>;
        Optional<String> trouble = trouble(told.reply());
        if (stream.isEmpty()) {
            return new ServerState(told.endpoint(), told.name(), Part.UNKNOWN, 0, Optional.empty(), trouble, silent);
        }
        @Nullable ClusterInfo cluster = stream.get().getClusterInfo();
        Optional<Replica> replica = replica(cluster, told.name());
        Part part = cluster == null
                        || told.name()
                                .filter(name -> name.equals(cluster.getLeader()))
                                .isPresent()
                ? Part.LEADER
                : replica.isPresent() ? Part.REPLICA : told.name().isPresent() ? Part.NONE : Part.UNKNOWN;
        long lag = replica.map(Replica::getLag).orElse(0L);
        boolean level = part == Part.LEADER
                || replica.filter(one -> one.isCurrent() && lag == 0).isPresent();
        return new ServerState(
                told.endpoint(),
                told.name(),
                part,
                lag,
                level && !silent ? copy : Optional.empty(),
                trouble.or(() -> replica.filter(Replica::isOffline).map(one -> "the stream's leader does not hear it")),
                silent);
    }

    private static Optional<Replica> replica(@Nullable ClusterInfo cluster, Optional<String> name) {
        if (cluster == null || cluster.getReplicas() == null) {
            return Optional.empty();
        }
        return cluster.getReplicas().stream()
                .filter(one -> name.filter(one.getName()::equals).isPresent())
                .findFirst();
    }

    /** Before the first promotion there is no stream, and nothing wrong with that. */
    private static Optional<String> trouble(Reply<Answer> reply) {
        boolean fine = reply instanceof Reply.Got<Answer>
                || (reply instanceof Reply.Refused<Answer> refused && refused.refusal() == Refusal.NO_STREAM);
        return fine ? Optional.empty() : Optional.of(Reply.trouble(reply));
    }
}
