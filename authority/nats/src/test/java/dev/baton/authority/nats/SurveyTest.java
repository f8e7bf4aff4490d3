package dev.baton.authority.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.nats.seat.NatsSeat;
import dev.baton.authority.nats.seat.ServerState;
import dev.baton.authority.nats.seat.ServerState.Part;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.authority.tck.PatientContender;
import dev.baton.core.Claim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people are shown of the servers, one by one. */
final class SurveyTest {

    @TempDir
    private Path dir;

    private static List<ServerState> servers(PatientContender asker) {
        return PatientContender.answer(((NatsSeat) asker.seat()).servers());
    }

    private static PatientContender contender(NatsServers nats, int replicas) {
        return new PatientContender(
                "n1",
                NatsAuthority.openUnchecked(NatsSettings.of(nats.addresses())
                        .withReplicas(replicas)
                        .withLease(Duration.ofSeconds(60))
                        .withRequestTimeout(Duration.ofSeconds(6))));
    }

    private static boolean hasHead(ServerState server, PatientContender holder) {
        return server.copy().filter(copy -> copy.head().equals(holder.head())).isPresent();
    }

    @Test
    void theLeaderAndTheReplicasOfTheStreamAreToldApartAndAServerThatIsGoneIsSilent() {
        try (NatsServers nats = NatsServers.start(3, dir);
                PatientContender holder = contender(nats, 3)) {
            holder.take(new Claim.Vacancy());
            holder.commit(3);

            List<ServerState> level = PatientContender.until(
                    "all servers have the head",
                    () -> servers(holder),
                    all -> all.stream().allMatch(one -> hasHead(one, holder)));

            assertThat(level).extracting(ServerState::address).isEqualTo(nats.addresses());
            assertThat(level).extracting(ServerState::part).containsOnlyOnce(Part.LEADER);
            assertThat(level).filteredOn(one -> one.part() == Part.REPLICA).hasSize(2);
            assertThat(level).allSatisfy(one -> {
                assertThat(one.trouble()).isEmpty();
                assertThat(one.copy().orElseThrow().highest())
                        .isEqualTo(holder.term().epoch());
                assertThat(one.copy().orElseThrow().seating().orElseThrow().term())
                        .isEqualTo(holder.term());
            });

            int gone = level.stream().map(ServerState::part).toList().indexOf(Part.REPLICA);
            nats.get(gone).kill();
            ServerState silent = PatientContender.until(
                    "the killed server is silent", () -> servers(holder).get(gone), ServerState::silent);

            assertThat(silent.trouble()).isPresent();
            assertThat(silent.copy()).isEmpty();
        }
    }

    @Test
    void oneServerAloneLeadsAndBeforeTheFirstTermNothingIsWrongWithIt() {
        try (NatsServers nats = NatsServers.start(1, dir);
                PatientContender holder = contender(nats, 1)) {
            ServerState before = PatientContender.until(
                    "it is connected", () -> servers(holder).getFirst(), one -> !one.silent());
            assertThat(before.part()).isEqualTo(Part.UNKNOWN);
            assertThat(before.trouble()).isEmpty();

            holder.take(new Claim.Vacancy());
            holder.commit(1);

            assertThat(servers(holder)).singleElement().satisfies(one -> {
                assertThat(one.part()).isEqualTo(Part.LEADER);
                assertThat(hasHead(one, holder)).isTrue();
            });
        }
    }
}
