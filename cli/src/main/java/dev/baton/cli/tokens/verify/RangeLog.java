package dev.baton.cli.tokens.verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The log as a file: a JSON object per line. Unknown fields are passed over. */
public final class RangeLog {

    private static final JsonFactory JSON = new JsonFactory();

    private RangeLog() {}

    /** One line, without its end. */
    public static String line(HandedRange range) {
        return "{\"client\":\"" + range.client() + "\",\"clock\":\"" + range.clock() + "\",\"namespace\":\""
                + range.namespace() + "\",\"start\":" + range.start() + ",\"end\":" + range.end() + ",\"step\":"
                + range.step() + ",\"revision\":" + range.revision() + ",\"epoch\":" + range.epoch() + ",\"height\":"
                + range.height() + ",\"sentNanos\":" + range.sentNanos() + ",\"receivedNanos\":"
                + range.receivedNanos() + (range.leased() ? ",\"guarantee\":\"LEASED\"" : "") + "}";
    }

    /**
     * Gives every range of a file to the verifier.
     *
     * <p>A last line without an end was not finished, because its writer was stopped, and is passed over. Without
     * {@code clock}, times of this file are compared with each other, but with no other file's.
     */
    public static void read(Path file, Verifier verifier) throws IOException {
        boolean whole = endsWithLineBreak(file);
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            for (long number = 1; line != null; number++) {
                String next = lines.readLine();
                if (next != null || whole) {
                    take(file, number, line, verifier);
                }
                line = next;
            }
        }
    }

    private static boolean endsWithLineBreak(Path file) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            if (channel.size() == 0) {
                return true;
            }
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.position(channel.size() - 1);
            channel.read(last);
            return last.get(0) == '\n';
        }
    }

    private static void take(Path file, long number, String line, Verifier verifier) {
        if (line.isBlank()) {
            return;
        }
        try {
            verifier.add(range(file, line));
        } catch (IOException | IllegalArgumentException e) {
            verifier.addUnreadable(file + ":" + number + ": " + firstLine(e));
        }
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
    }

    private static HandedRange range(Path file, String line) throws IOException {
        Map<String, String> texts = new HashMap<>();
        Map<String, Long> numbers = new HashMap<>();
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                switch (json.nextToken()) {
                    case VALUE_STRING -> texts.put(name, json.getText());
                    case VALUE_NUMBER_INT -> numbers.put(name, json.getLongValue());
                    default -> json.skipChildren();
                }
            }
        }
        return new HandedRange(
                text(texts, "client"),
                texts.getOrDefault("clock", file.toString()),
                text(texts, "namespace"),
                texts.getOrDefault("guarantee", "STRICT").equals("LEASED"),
                number(numbers, "start"),
                number(numbers, "end"),
                number(numbers, "step"),
                number(numbers, "revision"),
                number(numbers, "epoch"),
                number(numbers, "height"),
                number(numbers, "sentNanos"),
                number(numbers, "receivedNanos"));
    }

    private static String text(Map<String, String> texts, String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new IllegalArgumentException(name + ": missing (expected: a text)");
        }
        return text;
    }

    private static long number(Map<String, Long> numbers, String name) {
        Long number = numbers.get(name);
        if (number == null) {
            throw new IllegalArgumentException(name + ": missing (expected: a whole number)");
        }
        return number;
    }
}
