package dev.baton.cli.pg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;

class MomentTest {

    private static final ZonedDateTime NOW = ZonedDateTime.parse("2030-01-31T12:00:00+01:00");

    @Test
    void aTimeIsTheNextThatComes() {
        assertThat(Moment.parse("12:30", NOW)).isEqualTo(Instant.parse("2030-01-31T11:30:00Z"));
        assertThat(Moment.parse("11:30", NOW)).isEqualTo(Instant.parse("2030-02-01T10:30:00Z"));
    }

    @Test
    void aDayAndATimeAreOfTheOwnZoneUnlessTheyNameAnother() {
        assertThat(Moment.parse("2030-02-01T02:30", NOW)).isEqualTo(Instant.parse("2030-02-01T01:30:00Z"));
        assertThat(Moment.parse("2030-02-01T02:30Z", NOW)).isEqualTo(Instant.parse("2030-02-01T02:30:00Z"));
        assertThat(Moment.parse("2030-02-01T02:30-05:00", NOW)).isEqualTo(Instant.parse("2030-02-01T07:30:00Z"));
    }

    @Test
    void anythingElseIsRefusedInWords() {
        assertThatThrownBy(() -> Moment.parse("soon", NOW)).hasMessageContaining("\"soon\" (expected: a time such as");
    }
}
