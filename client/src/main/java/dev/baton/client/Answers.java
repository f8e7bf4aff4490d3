package dev.baton.client;

import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;

/** Checks that an answer is one to its request, before anybody relies on it. */
final class Answers {

    sealed interface Checked {}

    record Sound(TokenRange range) implements Checked {}

    record Malformed(String why) implements Checked {}

    private Answers() {}

    static Checked check(TokenRequest request, TokenResponse response) {
        return check(request.getNamespace(), request.getCount(), request.getSequence(), response);
    }

    static Checked check(String namespace, long count, long sequence, TokenResponse response) {
        if (!response.getNamespace().equals(namespace)) {
            return new Malformed("answer for namespace " + response.getNamespace() + " (expected: " + namespace + ")");
        }
        if (response.getSequence() != sequence) {
            return new Malformed("answer to request " + response.getSequence() + " (expected: " + sequence + ")");
        }
        long step = response.getStep() == 0 ? 1 : response.getStep(); // a server of the published design has no steps
        if (response.getStartToken() < 1 || response.getEndToken() <= response.getStartToken() || step < 1) {
            return new Malformed("tokens [" + response.getStartToken() + ", " + response.getEndToken() + ") step "
                    + step + " (expected: start and step from 1 on, end above start)");
        }
        TokenRange range = new TokenRange(response.getStartToken(), response.getEndToken(), step);
        return range.count() == count
                ? new Sound(range)
                : new Malformed(range.count() + " tokens from " + range.start() + " on (expected: " + count + ")");
    }
}
