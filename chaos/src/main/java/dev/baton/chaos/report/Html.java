package dev.baton.chaos.report;

import java.util.Locale;

/** Text made safe for a page, and numbers as people read them. */
final class Html {

    private Html() {}

    /** Safe in text and in attributes; control characters, which no page may hold, are shown as a mark. */
    static String text(String raw) {
        StringBuilder safe = new StringBuilder(raw.length());
        raw.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                case '\n', '\r', '\t' -> safe.append(' ');
                default -> safe.appendCodePoint(isPrintable(c) ? c : 0xFFFD);
            }
        });
        return safe.toString();
    }

    private static boolean isPrintable(int c) {
        return c >= 0x20 && (c < 0x7F || c > 0x9F) && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
    }

    /** A whole number with its thousands apart. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String oneDecimal(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    /** A duration with three digits or so: {@code 840 µs}, {@code 12.3 ms}, {@code 2.15 s}. */
    static String duration(long nanos) {
        if (nanos < 1_000_000) {
            return nanos / 1_000 + " µs";
        }
        double millis = nanos / 1e6;
        if (millis < 999.5) {
            return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
        }
        double seconds = nanos / 1e9;
        return String.format(Locale.ROOT, seconds < 10 ? "%.2f s" : seconds < 120 ? "%.1f s" : "%.0f s", seconds);
    }

    /** A point in time of the run: {@code 12.4 s}, {@code 3:07.5}. */
    static String moment(long nanos) {
        double seconds = nanos / 1e9;
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        long minutes = (long) (seconds / 60);
        return String.format(Locale.ROOT, "%d:%04.1f", minutes, seconds - minutes * 60);
    }

    /** One decimal place is finer than any screen. */
    static String pixels(double value) {
        long tenths = Math.round(value * 10);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + Math.abs(tenths % 10);
    }
}
