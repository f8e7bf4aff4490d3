package dev.baton.control.access;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads a policy:
 *
 * <pre>{@code
 * identities:
 *   "baton://demo/alice": operator
 *   "baton://demo/watch": observer
 * grants:            # only where a role shall differ from the usual
 *   operator: [Health, Status, StopSequencer]
 * }</pre>
 */
public final class PolicyFile {

    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private PolicyFile() {}

    public static Policy read(Path file) throws IOException {
        JsonNode tree = YAML.readTree(Files.readString(file));
        if (tree == null || !tree.isObject()) {
            throw refused(file, "", "empty", "identities, and grants if the usual ones do not fit");
        }
        for (Map.Entry<String, JsonNode> section : tree.properties()) {
            if (!Set.of("identities", "grants").contains(section.getKey())) {
                throw refused(file, section.getKey(), "unknown key", "identities or grants");
            }
        }
        Map<String, Role> identities = new HashMap<>();
        for (Map.Entry<String, JsonNode> identity : tree.path("identities").properties()) {
            identities.put(
                    identity.getKey(),
                    role(
                            file,
                            "identities." + identity.getKey(),
                            identity.getValue().asText()));
        }
        if (identities.isEmpty()) {
            throw refused(file, "identities", "none", "at least one, or nobody could ask anything");
        }
        Map<Role, Set<Call>> grants = new EnumMap<>(Role.class);
        for (Map.Entry<String, JsonNode> grant : tree.path("grants").properties()) {
            String key = "grants." + grant.getKey();
            Set<Call> calls = EnumSet.noneOf(Call.class);
            for (JsonNode call : grant.getValue()) {
                calls.add(Call.of(call.asText())
                        .orElseThrow(() -> refused(file, key, call.asText(), "one of " + words(Call.values()))));
            }
            grants.put(role(file, key, grant.getKey()), calls);
        }
        return Policy.of(identities, grants);
    }

    private static Role role(Path file, String key, String word) throws IOException {
        return Role.of(word)
                .orElseThrow(() -> refused(file, key, word, "one of observer, operator, agent, break-glass"));
    }

    private static String words(Call[] calls) {
        StringBuilder words = new StringBuilder();
        for (Call call : calls) {
            words.append(words.isEmpty() ? "" : ", ").append(call.word());
        }
        return words.toString();
    }

    private static IOException refused(Path file, String key, String value, String expected) {
        return new IOException(file + ": " + key + ": " + value + " (expected: " + expected + ")");
    }
}
