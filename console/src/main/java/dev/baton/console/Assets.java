package dev.baton.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The files of the page, read once from the jar. */
public final class Assets {

    private static final Map<String, String> TYPES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "console.css", "text/css; charset=utf-8",
            "console.js", "text/javascript; charset=utf-8",
            "picture.js", "text/javascript; charset=utf-8",
            "charts.js", "text/javascript; charset=utf-8",
            "duties.js", "text/javascript; charset=utf-8",
            "dom.js", "text/javascript; charset=utf-8",
            "icon.svg", "image/svg+xml");

    private static final Map<String, Asset> ALL = read();

    private Assets() {}

    private static Map<String, Asset> read() {
        Map<String, Asset> all = new LinkedHashMap<>();
        TYPES.forEach((name, type) -> all.put(name, read(name, type)));
        return Map.copyOf(all);
    }

    private static Asset read(String name, String type) {
        try (InputStream in = Assets.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar of the console lacks " + name + " (expected: a whole build)");
            }
            return Asset.of(type, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file of this name; the page itself if the name is empty. */
    public static Optional<Asset> find(String name) {
        return Optional.ofNullable(ALL.get(name.isEmpty() ? "index.html" : name));
    }

    /** How much a browser loads when it has nothing yet. */
    public static int totalBytes() {
        return ALL.values().stream().mapToInt(asset -> asset.content().size()).sum();
    }
}
