package dev.baton.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as people write and read them: {@code 30s}, {@code 100ms}, {@code 2m}. */
public final class Durations implements ITypeConverter<Duration> {

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = TIME.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("\"" + text + "\" (expected: a time such as 100ms, 30s, 2m or 1h)");
        }
        long amount = Long.parseLong(matcher.group(1));
        if (amount == 0) {
            throw new TypeConversionException("\"" + text + "\" (expected: longer than nothing)");
        }
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /** The shortest exact way to write it. */
    public static String exact(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }

    /** Two digits that matter, for people: {@code 87 ms}, {@code 1.4 s}, {@code 12 min}. */
    public static String readable(long millis) {
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        if (millis < 2 * 3_600_000) {
            return millis / 60_000 + " min " + millis % 60_000 / 1000 + " s";
        }
        return millis / 3_600_000 + " h " + millis % 3_600_000 / 60_000 + " min";
    }
}
