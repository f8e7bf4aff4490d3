package dev.baton.duty.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import java.util.List;
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
                List.of("n2", "n1"));
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
    void positionsAreCountedInBytes() {
        assertThat(Lsn.parse("1/0").behind(Lsn.parse("1/10"))).isEqualTo(16);
        assertThat(Lsn.parse("1/10").behind(Lsn.parse("0/FFFFFFFF"))).isZero();
        assertThat(Lsn.parse("1A/3000148")).hasToString("1A/3000148");
    }
}
