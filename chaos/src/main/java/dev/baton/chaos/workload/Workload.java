package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All who work and look while faults happen. */
public final class Workload implements AutoCloseable {

    /** The namespaces that tokens are asked of. */
    public static final List<String> NAMESPACES = List.of(Request.Next.STRICT, TokenCaller.LEASED);

    private static final int CLIENTS = 4;
    private static final Duration CREATION = Duration.ofMinutes(1);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final List<Thread> clientThreads = new ArrayList<>();
    private final List<Thread> lookingThreads = new ArrayList<>();
    private final List<TokenCaller> callers = new ArrayList<>();
    private volatile boolean working = true;
    private volatile boolean looking = true;

    private Workload(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Everybody begins at once. */
    public static Workload start(Cluster cluster, String duty, long seed, Recorder recorder)
            throws IOException, InterruptedException {
        Workload workload = new Workload(cluster);
        boolean tokens = duty.equals("tokens");
        if (tokens) {
            workload.create(TokenCaller.LEASED);
        }
        for (int i = 1; i <= CLIENTS; i++) {
            Client client = tokens
                    ? workload.caller("c" + i, i % 2 == 0 ? TokenCaller.LEASED : Request.Next.STRICT, seed, recorder)
                    : new Submitter("c" + i, seed, cluster, recorder, () -> workload.working);
            workload.clientThreads.add(Thread.ofVirtual().name(client.name()).start(client));
        }
        Onlookers onlookers = new Onlookers(cluster, recorder, () -> workload.looking);
        for (String node : cluster.nodes()) {
            workload.lookingThreads.add(Thread.ofVirtual().start(() -> onlookers.sample(node)));
            if (!tokens) {
                workload.lookingThreads.add(Thread.ofVirtual().start(() -> onlookers.read(node)));
            }
        }
        return workload;
    }

    private TokenCaller caller(String name, String guarantee, long seed, Recorder recorder) {
        TokenCaller caller = new TokenCaller(name, guarantee, seed, cluster, recorder, () -> working);
        callers.add(caller);
        return caller;
    }

    /** A leased namespace has to be asked for; a strict one comes with its first use. */
    private void create(String namespace) throws IOException, InterruptedException {
        NodeHttp http = new NodeHttp();
        long deadlineNanos = System.nanoTime() + CREATION.toNanos();
        String last = "";
        while (System.nanoTime() - deadlineNanos < 0) {
            for (String node : cluster.nodes()) {
                try {
                    NodeHttp.Reply reply = http.post(
                            cluster.httpBehind(node),
                            "/tokens/namespaces?name=" + namespace + "&guarantee=leased",
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
        throw new IOException("namespace " + namespace + " cannot be made: " + last);
    }

    /** No new requests; returns when those under way have ended, or will not. */
    public void stopWorking() throws InterruptedException {
        working = false;
        long deadlineNanos = System.nanoTime() + LAST_ANSWERS.toNanos();
        for (Thread each : clientThreads) {
            each.join(Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())));
        }
        clientThreads.forEach(Thread::interrupt);
    }

    @Override
    public void close() {
        working = false;
        looking = false;
        clientThreads.forEach(Thread::interrupt);
        lookingThreads.forEach(Thread::interrupt);
        callers.forEach(TokenCaller::close);
    }
}
