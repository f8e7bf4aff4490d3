package dev.baton.cli.tokens;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import dev.baton.wire.token.v1.TokenResponse;

/** Tokens as they are shown. */
final class RangeWords {

    private RangeWords() {}

    static ObjectNode json(TokenResponse tokens) {
        return Json.object()
                .put("namespace", tokens.getNamespace())
                .put("start", tokens.getStartToken())
                .put("end", tokens.getEndToken())
                .put("step", step(tokens))
                .put("revision", tokens.getRevision())
                .put("epoch", tokens.getEpoch())
                .put("height", tokens.getHeight())
                .put("sequence", tokens.getSequence())
                .put("duplicate", tokens.getDuplicate());
    }

    static String line(TokenResponse tokens) {
        long last = last(tokens);
        return tokens.getStartToken()
                + (last == tokens.getStartToken() ? "" : ".." + last)
                + (step(tokens) == 1 ? "" : " step " + step(tokens)) + "  (epoch " + tokens.getEpoch() + ", height "
                + tokens.getHeight() + ")" + (tokens.getDuplicate() ? "  (was handed out already)" : "");
    }

    /** A service of the published design does not say it. */
    static long step(TokenResponse tokens) {
        return Math.max(1, tokens.getStep());
    }

    private static long last(TokenResponse tokens) {
        long step = step(tokens);
        return tokens.getStartToken() + (tokens.getEndToken() - 1 - tokens.getStartToken()) / step * step;
    }
}
