package dev.baton.console;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import java.util.Map;

/**
 * One file of the page.
 *
 * @param tag changes whenever the content does, so that a browser need not fetch it again
 */
public record Asset(String contentType, Bytes content, String tag) {

    /**
     * Nothing is loaded from elsewhere, nothing inline runs, and nobody may show the page inside of theirs: a payload
     * that looks like a script stays a payload, and no click here is stolen.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    static Asset of(String contentType, byte[] content) {
        Bytes bytes = Bytes.wrap(content);
        return new Asset(contentType, bytes, '"' + Hash.sha256(bytes).toString().substring(0, 16) + '"');
    }

    /** What is sent along. */
    public Map<String, String> headers() {
        return Map.of(
                "ETag", tag,
                "Cache-Control", "no-cache", // asked for each time, sent only when it changed
                "Content-Security-Policy", POLICY,
                "X-Frame-Options", "DENY",
                "Referrer-Policy", "no-referrer",
                "Cross-Origin-Opener-Policy", "same-origin",
                "Cross-Origin-Resource-Policy", "same-origin");
    }
}
