package dev.baton.control.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the glass is broken on this node: for a while, identities with that role act without a lease token.
 *
 * <p>It ends by itself, can be ended earlier without a restart, and outlasts one: whoever restarts a node in an emergency
 * must not have to begin anew, nor lose sight of what is open. Thread-safe.
 */
public final class BreakGlass {

    public static final Duration USUAL = Duration.ofMinutes(10);
    public static final Duration LONGEST = Duration.ofHours(1);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final InstantSource clock;
    private @Nullable Broken broken;

    private BreakGlass(Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    /** Who broke it, why, and until when. */
    public record Broken(String who, String reason, long untilMillis) {
        @Override
        public String toString() {
            return "broken by " + who + ": " + reason;
        }
    }

    public static BreakGlass open(Path file, InstantSource clock) throws IOException {
        BreakGlass glass = new BreakGlass(file, clock);
        if (Files.exists(file)) {
            JsonNode read = JSON.readTree(Files.readString(file));
            glass.broken = new Broken(
                    read.path("who").asText(),
                    read.path("reason").asText(),
                    read.path("untilMillis").asLong());
        }
        return glass;
    }

    /** Nothing while the glass is whole. */
    public synchronized Optional<Broken> now() {
        if (broken != null && clock.millis() >= broken.untilMillis()) {
            broken = null;
        }
        return Optional.ofNullable(broken);
    }

    public synchronized Broken breakIt(String who, String reason, Duration howLong) throws IOException {
        Broken opened = new Broken(who, reason, clock.millis() + howLong.toMillis());
        DurableText.replace(
                file,
                JSON.createObjectNode()
                                .put("who", who)
                                .put("reason", reason)
                                .put("untilMillis", opened.untilMillis())
                                .toPrettyString()
                        + "\n");
        broken = opened;
        return opened;
    }

    /** Whether there was anything to mend. */
    public synchronized boolean mend() throws IOException {
        boolean wasBroken = now().isPresent();
        Files.deleteIfExists(file);
        broken = null;
        return wasBroken;
    }
}
