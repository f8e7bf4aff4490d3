package dev.baton.chaos.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What nodes say of themselves, asked past their proxies: for targets and the timeline, never for the verdict. */
final class Standings {

    private static final Duration ASK = Duration.ofSeconds(2);
    private static final Duration HANDOFF = Duration.ofSeconds(15);

    private final Layout layout;
    private final NodeHttp http = new NodeHttp();

    Standings(Layout layout) {
        this.layout = layout;
    }

    NodeSample of(String node) {
        try {
            NodeHttp.Reply reply = http.get(layout.placesOf(node).http().behindText(), "/status", ASK);
            return reply.isOk() ? NodeSample.of(node, layout.duty(), reply.body()) : NodeSample.silent(node);
        } catch (IOException e) {
            return NodeSample.silent(node);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NodeSample.silent(node);
        }
    }

    /** Whoever of these says that it leads, under the highest epoch if several do. */
    Optional<String> leaderAmong(List<String> nodes) {
        // All at once: a frozen one keeps whoever asks waiting.
        List<CompletableFuture<NodeSample>> asked = nodes.stream()
                .map(node -> CompletableFuture.supplyAsync(
                        () -> of(node), task -> Thread.ofVirtual().start(task)))
                .toList();
        return leaderOf(asked.stream().map(CompletableFuture::join).toList());
    }

    static Optional<String> leaderOf(List<NodeSample> samples) {
        return samples.stream()
                .filter(NodeSample::leads)
                .max(Comparator.comparingLong(NodeSample::epoch))
                .map(NodeSample::node);
    }

    NodeHttp.Reply handOff(String leader, String to) throws IOException, InterruptedException {
        String question = "/handoff?seat=" + layout.duty().seat() + "&to=" + to;
        return http.post(layout.placesOf(leader).admin().behindText(), question, new byte[0], HANDOFF);
    }
}
