package dev.baton.authority.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import dev.baton.authority.Appended;
import dev.baton.authority.Trim;
import dev.baton.authority.etcd.testing.EtcdServer;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.etcd.wire.Refusal;
import dev.baton.authority.etcd.wire.Reply;
import dev.baton.authority.tck.PatientContender;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import io.etcd.jetcd.api.StatusResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Room in etcd: how it is kept, and what happens without. */
final class UpkeepTest {

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final int QUOTA_MIB = 24;
    private static final int KEPT = 5;

    @TempDir
    private Path dir;

    private EtcdServers small() {
        return EtcdServers.of(3, dir)
                .option("--quota-backend-bytes=" + ((long) QUOTA_MIB << 20))
                .start();
    }

    private static EtcdSettings settings(EtcdServers etcd) {
        return EtcdSettings.of(etcd.addresses()).withLease(LEASE).withRequestTimeout(Duration.ofSeconds(5));
    }

    /** Appends and trims; returns what etcd said when it was not a commit, or null after so many. */
    private static Appended appendAndTrim(PatientContender holder, int count) {
        for (int i = 0; i < count; i++) {
            Entry entry = holder.draft(PatientContender.noise(256 << 10));
            Appended outcome = holder.append(entry);
            if (outcome instanceof Appended.Unavailable) {
                return outcome;
            }
            holder.commit(entry);
            Height keepFrom = new Height(Math.max(1, entry.height().value() - KEPT + 1));
            var unused = PatientContender.answer(holder.seat().trim(holder.term(), keepFrom));
        }
        return new Appended.Committed(holder.draft("none"), 0);
    }

    @Test
    void aFullEtcdIsNamedWithItsRemedyAndAfterItNothingIsLost() {
        try (EtcdServers etcd = small();
                EtcdAuthority authority =
                        EtcdAuthority.openUnchecked(settings(etcd).withUpkeep(Duration.ZERO, 0));
                PatientContender holder = new PatientContender("n1", authority)) {
            holder.take(new Claim.Vacancy());
            assertThat(PatientContender.answer(authority.room()))
                    .hasSize(3)
                    .allMatch(room -> room.bytes() > 0 && room.bytes() < 1 << 20 && !room.isFull());

            Appended refused = appendAndTrim(holder, 8 * QUOTA_MIB);

            assertThat(refused).isInstanceOf(Appended.Unavailable.class);
            assertThat(refused.toString()).contains("NOSPACE").contains("etcdctl alarm disarm");
            assertThat(StartCheck.of(settings(etcd), "authority.").faults().toString())
                    .contains("alarm NOSPACE");
            assertThat(PatientContender.answer(authority.room()))
                    .anyMatch(room -> room.bytes() > (QUOTA_MIB - 1L) << 20)
                    .anyMatch(Room::isFull);
            List<Entry> before = holder.ledger(new Height(holder.head().height().value() - KEPT + 2));
            assertThat(before.getLast().asHead()).isEqualTo(holder.head());

            etcd.ctl("compact", "--physical=true", Long.toString(etcd.status(etcd.get(0), "Revision")));
            etcd.all().forEach(member -> etcd.ctl(member, "defrag"));
            etcd.ctl("alarm", "disarm");

            holder.commit(holder.draft("room again"));
            assertThat(holder.ledger(before.getFirst().height()))
                    .startsWith(before.toArray(Entry[]::new))
                    .hasSize(before.size() + 1);
        }
    }

    /** Four times the quota goes through; without compaction the test above shows what happens. */
    @Test
    void theHolderKeepsTheDatabaseSmall() {
        try (EtcdServers etcd = small();
                PatientContender holder = new PatientContender(
                        "n1",
                        EtcdAuthority.openUnchecked(settings(etcd).withUpkeep(Duration.ofMillis(100), 4L << 20)))) {
            holder.take(new Claim.Vacancy());

            assertThat(appendAndTrim(holder, 16 * QUOTA_MIB)).isInstanceOf(Appended.Committed.class);

            assertThat(PatientContender.answer(
                            holder.seat().trim(holder.term(), holder.head().height())))
                    .isInstanceOf(Trim.Done.class);
            for (EtcdServer member : etcd.all()) {
                PatientContender.until(
                        member.address() + " is defragmented",
                        () -> {
                            holder.commit(1);
                            return etcd.status(member, "DBSize");
                        },
                        size -> size < 4L << 20);
            }
        }
    }

    /** Somebody else has the lock: what was taken for it goes back at once, else each round leaves a lease behind. */
    @Test
    void whoeverDoesNotGetTheLockLeavesNoLeaseBehind() {
        try (EtcdServers etcd = small();
                PatientContender holder = new PatientContender(
                        "n1",
                        EtcdAuthority.openUnchecked(settings(etcd).withUpkeep(Duration.ofMillis(100), 1L << 20)))) {
            etcd.ctl("put", "/baton/defragmenting", "somebody");
            holder.take(new Claim.Vacancy());
            appendAndTrim(holder, 2 * QUOTA_MIB);

            PatientContender.until(
                    "the lock was asked for",
                    () -> {
                        holder.commit(1);
                        return etcd.counted(etcd.get(0), "etcd_debugging_lease_granted_total");
                    },
                    granted -> granted > 3);

            PatientContender.until(
                    "only the seat's lease is left",
                    () -> etcd.ctl("lease", "list")
                            .lines()
                            .filter(line -> line.matches("[0-9a-f]+"))
                            .toList(),
                    leases -> leases.size() == 1);
        }
    }

    /** etcd tells its quota from 3.6 on, in a field that older ones do not have. */
    @Test
    void theQuotaIsKnownWhereEtcdTellsIt() {
        StatusResponse old = StatusResponse.newBuilder().setDbSize(7).build();
        StatusResponse young = old.toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                Room.QUOTA_FIELD,
                                UnknownFieldSet.Field.newBuilder()
                                        .addVarint(100)
                                        .build())
                        .build())
                .build();

        assertThat(Room.of("a:1", old)).isEqualTo(new Room("a:1", 7, OptionalLong.empty(), false));
        assertThat(Room.of("a:1", young)).isEqualTo(new Room("a:1", 7, OptionalLong.of(100), false));
    }

    @Test
    void aWarningNamesTheRoleOnlyWhereThatIsTheMatter() {
        assertThat(Upkeep.objection(new Reply.Refused<>(Refusal.DENIED, "a:1: permission denied", false)))
                .isEqualTo("a:1: permission denied (expected: a user with the role root, or"
                        + " authority.defragment-above: 0)");
        assertThat(Upkeep.objection(new Reply.Lost<>("a:1: no answer")))
                .startsWith("a:1: no answer; ")
                .doesNotContain("root");
        assertThat(Upkeep.objection(new Reply.Refused<>(Refusal.OTHER, "a:1: not now", false)))
                .startsWith("a:1: not now; ")
                .doesNotContain("root");
    }
}
