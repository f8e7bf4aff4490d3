package dev.baton.node.http;

import dev.baton.core.Bytes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What was asked.
 *
 * @param rest what follows the route's path, for routes that take it
 * @param headers the first value of each, by its name in small letters
 */
public record Request(String method, String rest, Map<String, String> query, Map<String, String> headers, Bytes body) {

    boolean isPost() {
        return method.equals("POST");
    }

    static Map<String, String> parseQuery(String raw) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (!name.isEmpty() && query.put(name, value) != null) {
                throw new BadRequestException("parameter " + name + ": given more than once (expected: once)");
            }
        }
        return query;
    }

    /**
     * For what cannot be taken back: refuses parameters that nobody reads, and those without a value, instead of doing
     * something else than was meant.
     */
    Request requireOnly(String... names) {
        query.forEach((name, value) -> {
            if (!List.of(names).contains(name)) {
                throw new BadRequestException(
                        "parameter " + name + ": unknown (expected: " + String.join(", ", names) + ")");
            }
            if (value.isBlank()) {
                throw new BadRequestException(
                        "parameter " + name + ": empty (expected: a value, or nothing of it at all)");
            }
        });
        return this;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).filter(value -> !value.isBlank());
    }

    String required(String name, String expected) {
        return parameter(name)
                .orElseThrow(
                        () -> new BadRequestException("parameter " + name + ": missing (expected: " + expected + ")"));
    }

    public long number(String name, long least, long most, long otherwise) {
        return parameter(name).map(text -> number(name, text, least, most)).orElse(otherwise);
    }

    public static long number(String name, String text, long least, long most) {
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new BadRequestException(
                name + ": " + text + " (expected: a whole number from " + least + " to " + most + ")");
    }

    /** The caller's mistake; answered with 400 and the message. */
    public static final class BadRequestException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public BadRequestException(String message) {
            super(message);
        }
    }
}
