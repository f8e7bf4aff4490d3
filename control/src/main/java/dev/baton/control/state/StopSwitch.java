package dev.baton.control.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.core.SeatName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which seats this node was told not to hold, until it is told otherwise. Thread-safe.
 *
 * <p>It is a file, because a node that was stopped must not lead again just because its process was restarted.
 */
public final class StopSwitch {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Map<SeatName, Stop> stops = new ConcurrentHashMap<>();

    private StopSwitch(Path folder) {
        this.folder = folder;
    }

    /** Who stopped it and why. */
    public record Stop(String who, String reason) {
        @Override
        public String toString() {
            return "stopped by " + who + (reason.isEmpty() ? "" : ": " + reason);
        }
    }

    public static StopSwitch open(Path folder, Iterable<SeatName> seats) throws IOException {
        StopSwitch opened = new StopSwitch(folder);
        for (SeatName seat : seats) {
            Path file = opened.file(seat);
            if (Files.exists(file)) {
                JsonNode stop = JSON.readTree(Files.readString(file));
                opened.stops.put(
                        seat,
                        new Stop(stop.path("who").asText(), stop.path("reason").asText()));
            }
        }
        return opened;
    }

    private Path file(SeatName seat) {
        return folder.resolve("stopped-" + seat + ".json");
    }

    public Optional<Stop> of(SeatName seat) {
        return Optional.ofNullable(stops.get(seat));
    }

    /** Holds on return, and after a restart. */
    public void stop(SeatName seat, Stop stop) throws IOException {
        DurableText.replace(
                file(seat),
                JSON.createObjectNode()
                                .put("who", stop.who())
                                .put("reason", stop.reason())
                                .toPrettyString()
                        + "\n");
        stops.put(seat, stop);
    }

    public void start(SeatName seat) throws IOException {
        Files.deleteIfExists(file(seat));
        stops.remove(seat);
    }
}
