package dev.baton.cli.up;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was seen so far, and whether all is well. */
interface Tally {

    boolean passed();

    /** How often what was seen, by its plural: {@code blocks}, {@code forks}. */
    Map<String, Long> counts();

    /** What is wrong, in words. */
    List<String> findings();

    /** As one sentence, such as {@code 12 blocks, 1 fork}. */
    default String sentence() {
        return counts().entrySet().stream()
                .map(count ->
                        count.getValue() + " " + (count.getValue() == 1 ? singular(count.getKey()) : count.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static String singular(String plural) {
        return plural.substring(0, plural.length() - 1);
    }

    /** As the last line of a run. */
    default String verdict() {
        return (passed() ? "PASS" : "FAIL") + ": " + sentence();
    }

    default ObjectNode toJson() {
        ObjectNode json = Json.object().put("verdict", passed() ? "PASS" : "FAIL");
        counts().forEach(json::put);
        if (!findings().isEmpty()) {
            ArrayNode all = json.putArray("findings");
            findings().forEach(all::add);
        }
        return json;
    }
}
