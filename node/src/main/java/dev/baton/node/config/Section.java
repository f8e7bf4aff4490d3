package dev.baton.node.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.baton.core.timing.Fault;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One level of a configuration file, read key by key.
 *
 * <p>A value that cannot be read is noted as a fault, and its default stands in, so that reading goes on and every
 * fault is found. A key that nobody asked for is a fault, too: {@link #close} tells.
 */
final class Section implements AutoCloseable {

    private final String path;
    private final JsonNode node;
    private final List<Fault> faults;
    private final Set<String> known = new LinkedHashSet<>();

    Section(String path, JsonNode node, List<Fault> faults) {
        this.path = path;
        this.faults = faults;
        boolean absent = node.isMissingNode() || node.isNull();
        this.node = absent || !node.isObject() ? MissingNode.getInstance() : node;
        if (!absent && !node.isObject()) {
            faults.add(new Fault(path, shown(node), "keys and values"));
        }
    }

    boolean isPresent() {
        return !node.isMissingNode();
    }

    boolean has(String key) {
        return node.has(key);
    }

    String key(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    void fault(String key, String value, String expected) {
        faults.add(new Fault(key(key), value, expected));
    }

    /** A value that may be absent. */
    <T> Optional<T> optional(String key, String expected, Function<String, T> parse) {
        known.add(key);
        JsonNode value = node.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isValueNode()) {
            fault(key, shown(value), expected);
            return Optional.empty();
        }
        return parsed(key, value.asText(), expected, parse);
    }

    private <T> Optional<T> parsed(String key, String text, String expected, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            fault(key, text.isEmpty() ? "empty" : text, expected);
            return Optional.empty();
        }
    }

    /** A value that must be there; {@code standIn} is used after the fault is noted. */
    <T> T required(String key, String expected, Function<String, T> parse, T standIn) {
        Optional<T> value = optional(key, expected, parse);
        if (value.isEmpty() && (!node.has(key) || node.path(key).isNull())) {
            fault(key, "missing", expected);
        }
        return value.orElse(standIn);
    }

    Duration duration(String key, Duration otherwise) {
        return optional(key, Durations.EXPECTED, Durations::parse).orElse(otherwise);
    }

    BigDecimal decimal(String key, BigDecimal otherwise) {
        return optional(key, "a number such as 1.01", BigDecimal::new).orElse(otherwise);
    }

    long whole(String key, long least, long most, long otherwise) {
        return optional(key, "a whole number from " + least + " to " + most, text -> {
                    long value = Long.parseLong(text);
                    if (value < least || value > most) {
                        throw new IllegalArgumentException(text);
                    }
                    return value;
                })
                .orElse(otherwise);
    }

    boolean truth(String key, boolean otherwise) {
        return optional(key, "true or false", text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException(text);
                })
                .orElse(otherwise);
    }

    HostPort address(String key, HostPort otherwise) {
        return optional(key, "host:port", HostPort::parse).orElse(otherwise);
    }

    Section section(String key) {
        known.add(key);
        return new Section(key(key), node.path(key), faults);
    }

    /** The elements of a list of sections; each is read, and closed, in turn. */
    <T> List<T> sections(String key, Function<Section, T> read) {
        List<T> result = new ArrayList<>();
        JsonNode list = list(key);
        for (int i = 0; i < list.size(); i++) {
            try (Section element = new Section(key(key) + "[" + i + "]", list.get(i), faults)) {
                result.add(read.apply(element));
            }
        }
        return result;
    }

    <T> List<T> values(String key, String expected, Function<String, T> parse) {
        List<T> result = new ArrayList<>();
        JsonNode list = list(key);
        for (int i = 0; i < list.size(); i++) {
            parsed(key + "[" + i + "]", list.get(i).asText(), expected, parse).ifPresent(result::add);
        }
        return result;
    }

    private JsonNode list(String key) {
        known.add(key);
        JsonNode list = node.path(key);
        if (!list.isMissingNode() && !list.isNull() && !list.isArray()) {
            fault(key, shown(list), "a list");
            return MissingNode.getInstance();
        }
        return list;
    }

    /** All keys of this section are names of the same kind, and each has a value. */
    <K, V> Map<K, V> names(String expected, Function<String, K> name, BiFunction<Section, String, Optional<V>> value) {
        Map<K, V> result = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            String key = property.getKey();
            known.add(key);
            Optional<K> parsed = parsed(key, key, expected, name);
            Optional<V> read = value.apply(this, key);
            if (parsed.isPresent() && read.isPresent()) {
                result.put(parsed.get(), read.get());
            }
        }
        return result;
    }

    /** Notes the keys that nobody asked for. */
    @Override
    public void close() {
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            String key = property.getKey();
            if (!known.contains(key)) {
                String likely = Spelling.nearest(key, known)
                        .map(name -> "did you mean " + name + "?")
                        .orElse("one of " + String.join(", ", known));
                faults.add(new Fault(key(key), "unknown key", likely));
            }
        }
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
