package dev.baton.cli.console;

import dev.baton.node.http.Answer;
import dev.baton.node.http.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * Who may read, and who may act.
 *
 * <p>A page from anywhere may make a browser on this machine send requests here. One that was made to resolve to this
 * machine under its own name is found out by the {@code Host}, one that sends across by the {@code Origin}; and nobody
 * acts without the token, which no foreign page can know, and which no browser sends by itself as it does a cookie.
 */
final class Gate {

    static final String TOKEN_HEADER = "X-Baton-Token";

    private static final int TOKEN_BYTES = 16;

    private final Set<String> hosts;
    private final String token;

    private Gate(Set<String> hosts, String token) {
        this.hosts = hosts;
        this.token = token;
    }

    static Gate at(int port) {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return new Gate(
                Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port),
                HexFormat.of().formatHex(random));
    }

    String token() {
        return token;
    }

    /** Why this request is not answered, if it is not. */
    Optional<Answer> objection(Request request) {
        String host = request.header("Host").orElse("");
        if (!hosts.contains(host)) {
            return refused("Host: " + host + " (expected: one of " + hosts + ")");
        }
        Optional<String> origin = request.header("Origin");
        if (origin.isPresent() && hosts.stream().noneMatch(own -> origin.get().equals("http://" + own))) {
            return refused("Origin: " + origin.get() + " (expected: the console's own page)");
        }
        return Optional.empty();
    }

    /** Why this request changes nothing, if it does not. */
    Optional<Answer> objectionToActing(Request request) {
        Optional<Answer> objection = objection(request);
        if (objection.isPresent()) {
            return objection;
        }
        if (!request.header("Content-Type").orElse("").startsWith("application/json")) {
            return Optional.of(Answer.error(415, "Content-Type: missing (expected: application/json)"));
        }
        byte[] shown = request.header(TOKEN_HEADER).orElse("").getBytes(StandardCharsets.UTF_8);
        // In constant time: the time taken must not tell how much of a guess is right.
        return MessageDigest.isEqual(shown, token.getBytes(StandardCharsets.UTF_8))
                ? Optional.empty()
                : Optional.of(Answer.error(
                        401, TOKEN_HEADER + ": missing or wrong (expected: the token that baton up printed)"));
    }

    private static Optional<Answer> refused(String why) {
        return Optional.of(Answer.error(403, why));
    }
}
