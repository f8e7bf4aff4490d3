package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.NodeFacts;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.cluster.SeatYaml;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Tokens, strict and leased; at the end every node tells where they went. */
final class TokensKind implements DutyKind {

    private static final String LEASED = "leased";
    private static final List<String> NAMESPACES = List.of(Request.Next.STRICT, LEASED);
    private static final int CLIENTS = 4;
    private static final Duration CREATION = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "tokens";
    }

    @Override
    public String seat() {
        return "tokens";
    }

    @Override
    public String seats(NodeFacts node) {
        return SeatYaml.seat(seat(), name())
                .append("    tokens:\n      listen: ")
                .append(node.listen())
                .append("\n      leased-ahead: 1000\n")
                .toString();
    }

    /** A leased namespace has to be asked for; a strict one comes with its first use. */
    @Override
    public void prepare(Cluster cluster) throws IOException, InterruptedException {
        NodeHttp http = new NodeHttp();
        long deadlineNanos = System.nanoTime() + CREATION.toNanos();
        String last = "";
        while (System.nanoTime() - deadlineNanos < 0) {
            for (String node : cluster.nodes()) {
                try {
                    NodeHttp.Reply reply = http.post(
                            cluster.httpBehind(node),
                            "/tokens/namespaces?name=" + LEASED + "&guarantee=leased",
                            new byte[0],
                            Duration.ofSeconds(10));
                    if (reply.isOk() || reply.body().path("reason").asText().equals("EXISTS")) {
                        return;
                    }
                    last = reply.toString();
                } catch (IOException e) {
                    last = e.toString();
                }
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        throw new IOException("namespace " + LEASED + " cannot be made: " + last);
    }

    @Override
    public List<Client> clients(Scene scene, long seed) {
        List<Client> clients = new ArrayList<>();
        for (int i = 1; i <= CLIENTS; i++) {
            clients.add(new TokenCaller("c" + i, i % 2 == 0 ? LEASED : Request.Next.STRICT, seed, scene));
        }
        return clients;
    }

    @Override
    public void takeStock(Scene scene, String node) throws IOException, InterruptedException {
        TokenReader reader = new TokenReader(scene.cluster().httpBehind(node));
        for (String namespace : NAMESPACES) {
            Optional<Event.FinalTokens> held = reader.read(scene.recorder().nowNanos(), node, namespace);
            held.ifPresent(scene.recorder()::append);
        }
    }
}
