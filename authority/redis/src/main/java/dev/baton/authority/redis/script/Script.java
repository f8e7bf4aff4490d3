package dev.baton.authority.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
                + resource("seal")
                + resource("prelude")
                + resource(name().toLowerCase(Locale.ROOT))
                + "end\nreturn sealed(answer())\n";
        digest = Seal.ofText(source);
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
}
