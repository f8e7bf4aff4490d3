package dev.baton.duty.tokens.state;

import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.duty.tokens.RequestId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * INV-14: the last requests that had ids and what they got, so that a retry gets the same.
 *
 * <p>First in, first out over all clients. Of what falls out, the highest sequence number of each client remains, for as
 * many clients as the window has places. Not thread-safe.
 */
final class RequestWindow {

    /** What a request got. */
    record Remembered(int namespace, long firstIndex, long count, Epoch epoch, Height height) {}

    private final LinkedHashMap<RequestId, Remembered> requests = new LinkedHashMap<>();
    private final LinkedHashMap<String, Long> forgotten = new LinkedHashMap<>();
    private int places;

    @Nullable
    Remembered find(RequestId id) {
        return requests.get(id);
    }

    /** The highest sequence number of this client that has fallen out; 0 if none has. */
    long forgottenOf(String client) {
        Long highest = forgotten.get(client);
        return highest == null ? 0 : highest;
    }

    int places() {
        return places;
    }

    void resize(int newPlaces) {
        places = newPlaces;
    }

    /** Adds one; whether it was new. */
    boolean add(RequestId id, Remembered request) {
        return requests.putIfAbsent(id, request) == null;
    }

    /** Lets the oldest fall out. Called after a whole batch, so that its requests are judged by the same window. */
    void shrink() {
        var oldest = requests.entrySet().iterator();
        for (int over = requests.size() - places; over > 0; over--) {
            RequestId id = oldest.next().getKey();
            oldest.remove();
            long before = forgottenOf(id.client());
            forgotten.remove(id.client()); // so that it becomes the newest
            forgotten.put(id.client(), Math.max(before, id.sequence()));
        }
        var first = forgotten.keySet().iterator();
        for (int over = forgotten.size() - places; over > 0; over--) {
            first.next();
            first.remove();
        }
    }

    /** Oldest first. */
    Map<RequestId, Remembered> requests() {
        return requests;
    }

    /** By client, the one that last lost a request last. */
    Map<String, Long> forgotten() {
        return forgotten;
    }

    void restoreForgotten(String client, long highest) {
        forgotten.put(client, highest);
    }
}
