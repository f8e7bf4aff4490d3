package dev.baton.authority.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.etcd.testing.EtcdServers;
import dev.baton.authority.tck.PatientContender;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INV-6: what renews a lease, as etcd itself counts it. One member, because an election would renew as well. */
final class RenewalTest {

    private static final String RENEWED = "etcd_debugging_lease_renewed_total";
    private static final Duration LEASE = Duration.ofSeconds(60);

    private EtcdServers etcd;

    @BeforeEach
    void start(@TempDir Path dir) {
        etcd = EtcdServers.start(1, dir);
    }

    @AfterEach
    void stop() {
        etcd.close();
    }

    private PatientContender contender() {
        return new PatientContender(
                "n1",
                EtcdAuthority.openUnchecked(
                        EtcdSettings.of(etcd.addresses()).withLease(LEASE).withRequestTimeout(Duration.ofSeconds(20))));
    }

    @Test
    void eachCommittedAppendRenewsOnceAndNothingElseDoes() {
        try (PatientContender holder = contender()) {
            holder.watch();
            holder.take(new Claim.Vacancy());
            assertThat(etcd.counted(RENEWED)).as("after the promotion").isZero();

            for (int i = 1; i <= 10; i++) {
                Entry entry = holder.draft("entry " + i);
                assertThat(holder.append(entry)).isInstanceOf(Appended.Committed.class);
                assertThat(etcd.counted(RENEWED)).isEqualTo(i);
                holder.take(new Claim.Vacancy());
            }
            holder.look();
            holder.ledger(Height.FIRST);
            holder.awaitEvent(new SeatEvent.Advanced(holder.head())::equals);
            Appended gap = holder.append(Entry.after(
                    holder.draft("left out").asHead(),
                    PatientContender.SEAT,
                    holder.term().epoch(),
                    List.of(),
                    Bytes.utf8("leaves a gap")));

            assertThat(gap).isInstanceOf(Appended.Conflict.class);
            assertThat(etcd.counted(RENEWED)).isEqualTo(10);
        }
    }

    /** INV-8: a holder that waits for its predecessor commits nothing meanwhile, and must not lose the seat over it. */
    @Test
    void aPromotionThatIsRepeatedBeforeTheFirstEntryRenews() {
        try (PatientContender holder = contender()) {
            holder.take(new Claim.Vacancy());
            for (int i = 1; i <= 3; i++) {
                long beforeNanos = System.nanoTime();
                assertThat(holder.take(new Claim.Vacancy()).sentNanos()).isGreaterThanOrEqualTo(beforeNanos);
                assertThat(etcd.counted(RENEWED)).isEqualTo(i);
            }
        }
    }

    /** Nobody knows when a lease was renewed whose answer was lost; etcd tells how much of it is left. */
    @Test
    void aPromotionThatIsRepeatedLaterCountsTheLeaseFromWhereItWasRenewed() {
        try (PatientContender holder = contender()) {
            long beforeNanos = System.nanoTime();
            holder.take(new Claim.Vacancy());
            assertThat(holder.append(holder.draft("the first"))).isInstanceOf(Appended.Committed.class);
            long renewedNanos = System.nanoTime();
            Promotion.Elected again = PatientContender.until(
                    "two seconds of the lease are gone",
                    () -> holder.take(new Claim.Vacancy()),
                    elected -> System.nanoTime() - renewedNanos
                            > Duration.ofSeconds(2).toNanos());

            assertThat(again.sentNanos())
                    .as("no later than the renewal, and not so early that nothing is left")
                    .isLessThanOrEqualTo(renewedNanos)
                    .isGreaterThan(beforeNanos - LEASE.dividedBy(2).toNanos());
        }
    }
}
