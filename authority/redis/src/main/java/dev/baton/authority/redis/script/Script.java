package dev.baton.authority.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The scripts, one per ask. */
public enum Script {
    PROMOTE,
    APPEND("append-next"),
    REBASE,
    RESIGN,
    TRIM,
    PEEK,
    RANGE,
    RECOGNISE,
    ADMIT;

    private final String source;
    private final String digest;

    Script() {
        this("");
    }

    /** With a shortcut in front of everything else, for the ask that comes most often. */
    Script(String shortcut) {
        source = (shortcut.isEmpty() ? "" : resource(shortcut))
                + resource("prelude")
                + resource(name().toLowerCase(Locale.ROOT));
        digest = sha1(source);
    }

    public String source() {
        return source;
    }

    /** How Redis calls the script once it was loaded. */
    public String digest() {
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
