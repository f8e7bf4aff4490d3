package dev.baton.node.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.core.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is sent back. */
public sealed interface Answer {

    int status();

    String contentType();

    /** Bytes that are known before the first is sent. */
    record Whole(int status, String contentType, Bytes body, Map<String, String> headers) implements Answer {
        public Whole {
            headers = Map.copyOf(headers);
        }

        public Whole(int status, String contentType, Bytes body) {
            this(status, contentType, body, Map.of());
        }
    }

    /** A body that is written bit by bit, until there is no more or the client leaves. */
    record Stream(int status, String contentType, Writer writer) implements Answer {}

    @FunctionalInterface
    interface Writer {
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    /** On a 503: whether it is certain that nothing was done, or the caller must find out by asking the same again. */
    String OUTCOME = "Baton-Outcome";

    String NOT_DONE = "not-done";
    String UNKNOWN = "unknown";

    ObjectMapper MAPPER = new ObjectMapper();

    static Answer json(int status, Object body) {
        return json(status, body, Map.of());
    }

    static Answer json(int status, Object body, Map<String, String> headers) {
        return new Whole(status, "application/json; charset=utf-8", Bytes.wrap(bytes(body)), headers);
    }

    static byte[] bytes(Object body) {
        try {
            return (MAPPER.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a view that has no JSON form: " + body, e);
        }
    }

    static Answer error(int status, String message) {
        return json(status, Map.of("error", message));
    }

    static Answer text(String contentType, String body) {
        return new Whole(200, contentType, Bytes.utf8(body));
    }

    /** Keys and values in the order given; values may be null. */
    static Map<String, @Nullable Object> fields(@Nullable Object... keysAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return fields;
    }
}
