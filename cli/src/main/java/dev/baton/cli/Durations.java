package dev.baton.cli;

import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times on the command line, written as in a configuration, and as people read them. */
public final class Durations implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        Duration time;
        try {
            time = dev.baton.node.config.Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "\"" + text + "\" (expected: " + dev.baton.node.config.Durations.EXPECTED + ")");
        }
        if (time.isZero() || time.isNegative()) {
            throw new TypeConversionException("\"" + text + "\" (expected: longer than nothing)");
        }
        return time;
    }

    /** The shortest exact way to write it. */
    public static String exact(Duration time) {
        return dev.baton.node.config.Durations.show(time);
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
