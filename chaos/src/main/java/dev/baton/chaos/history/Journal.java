package dev.baton.chaos.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A journal as it was read: its events in order, and whether its last line was cut off.
 *
 * @param torn the last line, if the run was killed while it wrote it
 */
public record Journal(List<Event> events, Optional<String> torn) {

    public Journal {
        events = List.copyOf(events);
    }

    /**
     * Reads a journal, also that of a run that was killed: a last line without a line end is left out. Any other line
     * that is no event means that this is not a journal, or not of this version.
     */
    public static Journal read(Path file) throws IOException {
        List<Event> events = new ArrayList<>();
        String torn = null;
        // This reader, unlike that of Files, bears a character that was cut in half.
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
            LineSplitter lines = new LineSplitter(reader);
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (!lines.lastWasWhole()) {
                    torn = line;
                } else if (!line.isBlank()) {
                    events.add(parse(file, lines.count(), line));
                }
            }
        }
        return new Journal(events, Optional.ofNullable(torn));
    }

    private static Event parse(Path file, long number, String line) throws IOException {
        try {
            return EventCodec.parse(line);
        } catch (JsonProcessingException e) {
            throw new IOException(
                    file + ", line " + number + ": " + shortened(line) + " (expected: an event; "
                            + e.getOriginalMessage() + ")",
                    e);
        }
    }

    private static String shortened(String line) {
        return line.length() <= 120 ? line : line.substring(0, 120) + "…";
    }

    /** The first event, which tells what was run; a journal without it says nothing. */
    public Event.Begun begun() {
        if (!events.isEmpty() && events.get(0) instanceof Event.Begun begun) {
            return begun;
        }
        throw new IllegalStateException("the journal begins with "
                + (events.isEmpty() ? "nothing" : EventCodec.line(events.get(0))) + " (expected: what was run)");
    }

    /** Whole lines, and whether the last one had its end: {@code readLine} does not tell. */
    private static final class LineSplitter {
        private final BufferedReader reader;
        private final StringBuilder line = new StringBuilder();
        private boolean whole;
        private long count;

        LineSplitter(BufferedReader reader) {
            this.reader = reader;
        }

        @Nullable
        String next() throws IOException {
            line.setLength(0);
            whole = false;
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                if (c == '\n') {
                    whole = true;
                    break;
                }
                line.append((char) c);
            }
            if (line.isEmpty() && !whole) {
                return null;
            }
            count++;
            return line.toString();
        }

        boolean lastWasWhole() {
            return whole;
        }

        long count() {
            return count;
        }
    }
}
