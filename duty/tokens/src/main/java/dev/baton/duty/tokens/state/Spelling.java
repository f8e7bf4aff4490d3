package dev.baton.duty.tokens.state;

import dev.baton.duty.tokens.Ask;
import dev.baton.duty.tokens.RequestId;
import java.util.Optional;

/** What names, ids and counts may look like, whatever the state is. Loops rather than patterns: it is asked each time. */
public final class Spelling {

    static final int LONGEST_NAME = 128;
    static final int LONGEST_SEGMENT = 63;
    static final int MOST_SEGMENTS = 4;
    static final int LONGEST_CLIENT = 64;

    private Spelling() {}

    /** Why the request can never be served, whatever namespace it asks for. */
    public static Optional<String> requestFault(Ask ask) {
        if (ask.count() < 1) {
            return Optional.of("count: " + ask.count() + " (expected: 1 or more)");
        }
        return ask.id().isEmpty() ? Optional.empty() : idFault(ask.id().get());
    }

    private static Optional<String> idFault(RequestId id) {
        if (id.sequence() < 1) {
            return Optional.of("sequence: " + id.sequence() + " (expected: 1 or more)");
        }
        return isClient(id.client())
                ? Optional.empty()
                : Optional.of("client: " + shown(id.client()) + " (expected: 1 to " + LONGEST_CLIENT
                        + " of A-Z, a-z, 0-9, '.', '_', ':' and '-')");
    }

    public static Optional<String> nameFault(String name) {
        return isName(name)
                ? Optional.empty()
                : Optional.of("namespace: " + shown(name) + " (expected: 1 to " + MOST_SEGMENTS
                        + " segments joined by '/', each 1 to " + LONGEST_SEGMENT
                        + " of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit; " + LONGEST_NAME
                        + " characters in all)");
    }

    static boolean isName(String name) {
        int length = name.length();
        if (length == 0 || length > LONGEST_NAME) {
            return false;
        }
        int segments = 1;
        int inSegment = 0;
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            if (c == '/') {
                if (inSegment == 0 || ++segments > MOST_SEGMENTS) {
                    return false;
                }
                inSegment = 0;
            } else if (++inSegment > LONGEST_SEGMENT
                    || !(isLowerOrDigit(c) || (inSegment > 1 && (c == '.' || c == '_' || c == '-')))) {
                return false;
            }
        }
        return inSegment > 0;
    }

    static boolean isClient(String client) {
        int length = client.length();
        if (length == 0 || length > LONGEST_CLIENT) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = client.charAt(i);
            if (!(isLowerOrDigit(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == ':' || c == '-')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLowerOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }

    /** What somebody sent may be long or worse. */
    private static String shown(String text) {
        return text.length() <= LONGEST_NAME
                ? "\"" + text + "\""
                : "\"" + text.substring(0, LONGEST_NAME) + "…\" of " + text.length() + " characters";
    }
}
