package dev.baton.control.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.core.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the ledger of the seat "control" adds up to: the chain's end, how far each node's records have come, and the
 * answers that are remembered. The same on every node at the same height. Not thread-safe.
 */
final class ControlState {

    /** How many answers are remembered for callers that ask again. */
    static final int REMEMBERED = 256;

    /** How many records a checkpoint carries, for nodes that missed some. */
    static final int CARRIED = 128;

    private static final ObjectMapper JSON = new ObjectMapper();

    private long count;
    private String tip = ChainedLine.BEGINNING;
    private final Map<String, Long> sequences = new TreeMap<>();
    private final Map<String, AuditRecord> answers = new LinkedHashMap<>();
    private final Deque<ChainedLine> recent = new ArrayDeque<>();

    /** Takes a committed record in; nothing if it came before, which a node that did not hear of its commit causes. */
    Optional<ChainedLine> apply(String json) {
        AuditRecord added = AuditRecord.ofJson(json);
        if (added.sequence() <= sequences.getOrDefault(added.node(), 0L)) {
            return Optional.empty();
        }
        sequences.put(added.node(), added.sequence());
        ChainedLine line = ChainedLine.after(count, tip, json);
        count = line.number();
        tip = line.hash();
        if (added.answersRetries()) {
            answers.putIfAbsent(added.scope(), added);
            if (answers.size() > REMEMBERED) {
                answers.remove(answers.keySet().iterator().next());
            }
        }
        recent.addLast(line);
        if (recent.size() > CARRIED) {
            recent.removeFirst();
        }
        return Optional.of(line);
    }

    long count() {
        return count;
    }

    String tip() {
        return tip;
    }

    Optional<AuditRecord> answer(String scope) {
        return Optional.ofNullable(answers.get(scope));
    }

    List<ChainedLine> recent() {
        return new ArrayList<>(recent);
    }

    Bytes encode() {
        ObjectNode state = JSON.createObjectNode().put("count", count).put("tip", tip);
        ObjectNode nodes = state.putObject("sequences");
        sequences.forEach(nodes::put);
        ArrayNode kept = state.putArray("answers");
        answers.values().forEach(answer -> kept.add(answer.toJson()));
        ArrayNode lines = state.putArray("recent");
        recent.forEach(line -> lines.add(line.toText()));
        return Bytes.utf8(state.toString());
    }

    /** Reads what {@link #encode} wrote; anything else is an {@link IllegalArgumentException}. */
    static ControlState decode(Bytes encoded) {
        try {
            JsonNode read = JSON.readTree(encoded.toUtf8());
            ControlState state = new ControlState();
            state.count = read.path("count").asLong();
            state.tip = read.path("tip").asText();
            read.path("sequences")
                    .properties()
                    .forEach(node ->
                            state.sequences.put(node.getKey(), node.getValue().asLong()));
            for (JsonNode answer : read.path("answers")) {
                AuditRecord kept = AuditRecord.ofJson(answer.asText());
                state.answers.put(kept.scope(), kept);
            }
            for (JsonNode line : read.path("recent")) {
                state.recent.addLast(ChainedLine.ofText(line.asText()));
            }
            return state;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a damaged checkpoint: " + e.getOriginalMessage(), e);
        }
    }
}
