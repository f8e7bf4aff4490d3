package dev.baton.node.http;

import dev.baton.console.Asset;
import dev.baton.console.Assets;
import dev.baton.console.Feed;
import dev.baton.core.Bytes;
import dev.baton.node.NodeView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The console: a page, and the events that it lives on. Whoever has a source can show it. */
public final class ConsolePages {

    private final Feed feed;

    ConsolePages(NodeView node, ConsoleSource.Audience audience) {
        this(new Feed(new ConsoleSource(node, audience)));
    }

    public ConsolePages(Feed feed) {
        this.feed = feed;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/console", request -> moved("/console/")),
                Route.get("/console/events", this::events),
                Route.get("/console/*", ConsolePages::asset));
    }

    public static Answer moved(String to) {
        return new Answer.Whole(308, "", Bytes.EMPTY, Map.of("Location", to));
    }

    private static Answer asset(Request request) {
        Optional<Asset> found = Assets.find(request.rest());
        if (found.isEmpty()) {
            return Answer.error(404, "console: " + request.rest() + " (expected: /console/)");
        }
        Asset asset = found.get();
        boolean known =
                request.header("If-None-Match").filter(asset.tag()::equals).isPresent();
        return new Answer.Whole(
                known ? 304 : 200, asset.contentType(), known ? Bytes.EMPTY : asset.content(), asset.headers());
    }

    /** A browser that comes back says by itself which block it saw last. */
    private Answer events(Request request) {
        long seen = request.header("Last-Event-ID")
                .map(text -> Request.number("Last-Event-ID", text, 0, Long.MAX_VALUE))
                .orElse(0L);
        return new Answer.Stream(200, "text/event-stream; charset=utf-8", out -> feed.stream(out, seen));
    }
}
