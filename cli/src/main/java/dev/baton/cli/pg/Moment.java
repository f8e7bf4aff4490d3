package dev.baton.cli.pg;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;

/** A moment as people write it: a time of this day, or of the next if it is past; a day and a time; or with a zone. */
final class Moment {

    static final String EXPECTED = "a time such as 02:30, 2030-01-31T02:30 or 2030-01-31T02:30Z";

    private Moment() {}

    /** Fails with {@link IllegalArgumentException} for anything else. */
    static Instant parse(String text, ZonedDateTime now) {
        try {
            if (!text.contains("T")) {
                ZonedDateTime today = now.with(LocalTime.parse(text));
                return (today.isAfter(now) ? today : today.plusDays(1)).toInstant();
            }
            boolean zoned = text.endsWith("Z") || text.indexOf('+') > 0 || text.lastIndexOf('-') > text.indexOf('T');
            return zoned
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDateTime.parse(text).atZone(now.getZone()).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("\"" + text + "\" (expected: " + EXPECTED + ")", e);
        }
    }
}
