package dev.baton.authority.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.etcd.seat.EtcdSeat;
import dev.baton.authority.etcd.seat.MemberState;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.tck.PatientContender;
import dev.baton.core.Claim;
import dev.baton.core.Epoch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people are shown of the members, one by one. */
final class SurveyTest {

    @TempDir
    private Path dir;

    private static List<MemberState> members(PatientContender asker) {
        return PatientContender.answer(((EtcdSeat) asker.seat()).members());
    }

    private static PatientContender contender(EtcdServers etcd) {
        return new PatientContender(
                "n1",
                EtcdAuthority.openUnchecked(EtcdSettings.of(etcd.addresses()).withLease(Duration.ofSeconds(60))));
    }

    @Test
    void eachMemberTellsItsOwnCopyAndOneThatIsFrozenIsSilent() {
        try (EtcdServers etcd = EtcdServers.start(3, dir);
                PatientContender holder = contender(etcd)) {
            assertThat(PatientContender.until(
                            "all members answer",
                            () -> members(holder),
                            all -> all.stream().allMatch(one -> one.copy().isPresent())))
                    .as("before anybody took the seat")
                    .allMatch(one -> one.copy().orElseThrow().highest().equals(Epoch.NONE));
            holder.take(new Claim.Vacancy());
            holder.commit(3);

            List<MemberState> level = PatientContender.until(
                    "all members have the head",
                    () -> members(holder),
                    all -> all.stream()
                            .allMatch(one -> one.copy()
                                    .filter(copy -> copy.head().equals(holder.head()))
                                    .isPresent()));

            assertThat(level).extracting(MemberState::address).isEqualTo(etcd.addresses());
            assertThat(level).allSatisfy(one -> {
                MemberState.Copy copy = one.copy().orElseThrow();
                assertThat(copy.highest()).isEqualTo(holder.term().epoch());
                assertThat(copy.seating().orElseThrow().term()).isEqualTo(holder.term());
                assertThat(one.figures().orElseThrow().databaseBytes()).isPositive();
                assertThat(one.trouble()).isEmpty();
            });
            assertThat(level)
                    .filteredOn(one -> one.figures().orElseThrow().leads())
                    .hasSize(1);

            etcd.get(2).pause();
            MemberState frozen = members(holder).get(2);
            etcd.get(2).resume();

            assertThat(frozen.silent()).isTrue();
            assertThat(frozen.trouble()).isPresent();
            assertThat(frozen.copy()).isEqualTo(Optional.empty());
        }
    }
}
