package dev.baton.duty.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterRecordTest {

    @Test
    void whatIsCommittedIsRead() {
        ClusterRecord record = new ClusterRecord(
                "7708550754241027843",
                "n1",
                "db-1.example:5432",
                true,
                7,
                Lsn.parse("1A/3000148"),
                List.of("n2", "n1"),
                Optional.of(new ClusterRecord.Plan("n2", 1_800_000_000_000L)),
                List.of(
                        new ClusterRecord.Reign(6, "n2", Lsn.parse("1A/0"), 5),
                        new ClusterRecord.Reign(7, "n1", Lsn.parse("1A/3000000"), 6)));
        assertThat(ClusterRecord.decode(record.encode())).isEqualTo(record);
        assertThat(record.host()).isEqualTo("db-1.example");
        assertThat(record.port()).isEqualTo(5432);
        assertThat(record.complete()).containsExactly("n1", "n2");
    }

    @Test
    void anEmptyLedgerKnowsNoDatabase() {
        assertThat(ClusterRecord.decode(ClusterRecord.NONE.encode())).isEqualTo(ClusterRecord.NONE);
        assertThat(ClusterRecord.decode(Bytes.EMPTY).isInitialised()).isFalse();
    }

    @Test
    void aRecordOfAnEarlierVersionIsRead() {
        ClusterRecord old = ClusterRecord.decode(Bytes.utf8("system=7\nprimary=n1\naddress=a:1\ncomplete=n1\n"));
        assertThat(old.primary()).isEqualTo("n1");
        assertThat(old.plan()).isEmpty();
        assertThat(old.history()).isEmpty();
    }

    @Test
    void aPrimaryIsRememberedOnceAndOldOnesAreForgottenInTheEnd() {
        ClusterRecord record = ClusterRecord.NONE;
        for (int timeline = 1; timeline <= 30; timeline++) {
            for (int pulse = 0; pulse < 2; pulse++) {
                record = new ClusterRecord(
                        "7",
                        "n1",
                        "a:1",
                        true,
                        timeline,
                        Lsn.ZERO,
                        List.of(),
                        Optional.empty(),
                        record.historyWith(new ClusterRecord.Reign(timeline, "n1", Lsn.ZERO, pulse)));
            }
        }
        assertThat(record.history()).hasSize(20);
        assertThat(record.history().getFirst()).isEqualTo(new ClusterRecord.Reign(11, "n1", Lsn.ZERO, 0));
    }

    @Test
    void positionsAreCountedInBytes() {
        assertThat(Lsn.parse("1/0").behind(Lsn.parse("1/10"))).isEqualTo(16);
        assertThat(Lsn.parse("1/10").behind(Lsn.parse("0/FFFFFFFF"))).isZero();
        assertThat(Lsn.parse("1A/3000148")).hasToString("1A/3000148");
    }
}
