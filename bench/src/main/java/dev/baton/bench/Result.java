package dev.baton.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** A benchmark's last line: one JSON object, with the machine and the commit in it. */
final class Result {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Object> fields = new LinkedHashMap<>();

    Result(boolean reached) {
        fields.put("verdict", reached ? "PASS" : "MISS");
    }

    Result with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    String toJson(String commit) {
        Map<String, Object> all = new LinkedHashMap<>(fields);
        all.put("machine", Machine.describe());
        all.put("commit", commit);
        try {
            return JSON.writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of plain values is JSON", e);
        }
    }
}
