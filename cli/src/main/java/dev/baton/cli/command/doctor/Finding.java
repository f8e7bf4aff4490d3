package dev.baton.cli.command.doctor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import java.util.Locale;

/** What one check found; {@code remedy} is empty if all is well. */
public record Finding(Level level, String what, String found, String remedy) {

    /** How bad it is, the worst last. */
    public enum Level {
        OK,
        WARN,
        FAIL
    }

    static Finding ok(String what, String found) {
        return new Finding(Level.OK, what, found, "");
    }

    static Finding warn(String what, String found, String remedy) {
        return new Finding(Level.WARN, what, found, remedy);
    }

    static Finding fail(String what, String found, String remedy) {
        return new Finding(Level.FAIL, what, found, remedy);
    }

    public ObjectNode toJson() {
        return Json.object()
                .put("check", what)
                .put("level", level.name().toLowerCase(Locale.ROOT))
                .put("found", found)
                .put("remedy", remedy);
    }

    public String toLine() {
        return String.format(Locale.ROOT, "%-5s %-8s %s", level.name().toLowerCase(Locale.ROOT), what, found)
                + (remedy.isEmpty() ? "" : "; " + remedy);
    }
}
