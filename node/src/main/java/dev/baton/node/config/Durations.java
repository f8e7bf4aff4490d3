package dev.baton.node.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 1s}, {@code 250ms}, {@code 2m}, {@code 1h}, or {@code PT1S}. */
public final class Durations {

    public static final String EXPECTED = "a time such as 1s, 250ms, 2m or PT1S";

    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h)");

    private Durations() {}

    /** Throws an {@link IllegalArgumentException} that says what was expected. */
    public static Duration parse(String text) {
        Matcher matcher = SHORT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (matcher.matches()) {
            long amount = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofHours(amount);
            };
        }
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(text + " (expected: " + EXPECTED + ")", e);
        }
    }

    /** The shortest way to write it. */
    public static String show(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
