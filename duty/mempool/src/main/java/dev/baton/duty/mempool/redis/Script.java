package dev.baton.duty.mempool.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The scripts, one per operation. */
enum Script {
    CHECK("prelude"),
    RECEIVE,
    HAS_PENDING("prelude"),
    PEEK_PENDING("prelude"),
    MARK_INFLIGHT("prelude"),
    MARK_ACKNOWLEDGED("prelude"),
    FIND_INFLIGHT("prelude"),
    PEEK_INFLIGHT("prelude"),
    STATUS("prelude"),
    DUMP_FINALIZED("prelude"),
    EVENTS("prelude"),
    STATS("prelude"),
    ASSUME("prelude", "work"),
    BEGIN("prelude", "work"),
    BEGIN_ROLLBACK("prelude", "work"),
    ADVANCE("prelude", "work");

    private final String source;
    private final String digest;

    Script(String... before) {
        StringBuilder all = new StringBuilder();
        List.of(before).forEach(name -> all.append(resource(name)));
        all.append(resource(name().toLowerCase(Locale.ROOT).replace('_', '-')));
        source = all.toString();
        digest = sha1(source);
    }

    String source() {
        return source;
    }

    /** How Redis calls the script once it was loaded. */
    String digest() {
        return digest;
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException(name + ".lua is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
