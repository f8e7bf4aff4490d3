package dev.baton.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Follows the events of one node, again and again, until its thread is interrupted. */
final class NodeEvents {

    private static final String DATA = "data: ";
    private static final long AGAIN_MILLIS = 100;

    /** Hears what the node says. Called by the thread that follows. */
    interface Listener {
        void said(JsonNode event);

        /** The node says nothing any more, or nothing yet. */
        void lost(String why);
    }

    private final URI events;
    private final Listener listener;
    private final HttpClient http;

    NodeEvents(HttpClient http, URI events, Listener listener) {
        this.http = http;
        this.events = events;
        this.listener = listener;
    }

    void follow() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                followOnce();
                Thread.sleep(AGAIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody looks any more
        }
    }

    private void followOnce() throws InterruptedException {
        try {
            read();
        } catch (ConnectException e) {
            listener.lost("it refuses connections");
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("asked to end while reading"); // says nothing about the node
            }
            listener.lost("its connection broke");
        }
    }

    private void read() throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                http.send(HttpRequest.newBuilder(events).build(), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            if (response.statusCode() != 200) {
                listener.lost("it answers with status " + response.statusCode());
                return;
            }
            String line = lines.readLine();
            while (line != null && !Thread.currentThread().isInterrupted()) {
                if (line.startsWith(DATA)) {
                    Json.parse(line.substring(DATA.length())).ifPresent(listener::said);
                }
                line = lines.readLine();
            }
            listener.lost("it ended its events");
        }
    }
}
