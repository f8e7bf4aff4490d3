package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Request;
import dev.baton.chaos.proxy.Troubles;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A client: one request after the other, each tried at one node after another until it is answered or given up.
 *
 * <p>All tries of a request are one operation, invoked before the first: what a retry brings may have been done by the
 * first try already.
 */
public abstract class Client implements Runnable, AutoCloseable {

    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int SHORTEST_PAUSE_MILLIS = 20;
    private static final int LONGEST_PAUSE_MILLIS = 120;
    private static final long BETWEEN_TRIES_MILLIS = 60;

    private final String name;
    private final Cluster cluster;
    private final Recorder recorder;
    private final BooleanSupplier goOn;
    private final Random dice;

    Client(String name, long seed, Scene scene) {
        this.name = name;
        this.cluster = scene.cluster();
        this.recorder = scene.recorder();
        this.goOn = scene.goOn();
        this.dice = new Random(seed * 31 + name.hashCode());
    }

    /** What is asked for next. */
    abstract Request next(Random dice);

    /** Asks one node; nothing if another try may bring an answer. */
    abstract Optional<Answer> ask(String node) throws InterruptedException;

    /** Bytes were changed on the way of some client: what nodes know of this one may be another's, or nonsense. */
    abstract void mistrust();

    /** Whether it goes through proxies, where bytes may be changed. */
    boolean isProxied() {
        return true;
    }

    /** Puts away what it kept open. */
    @Override
    public void close() {}

    final String name() {
        return name;
    }

    final Cluster cluster() {
        return cluster;
    }

    @Override
    public final void run() {
        try {
            while (goOn.getAsBoolean()) {
                once();
                TimeUnit.MILLISECONDS.sleep(dice.nextInt(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run is over; what was under way stays unknown
        }
    }

    /** Whom it asks. */
    List<String> nodes() {
        return cluster.nodes();
    }

    private void once() throws InterruptedException {
        List<String> nodes = nodes();
        int node = dice.nextInt(nodes.size());
        Request request = next(dice);
        long beganNanos = System.nanoTime();
        long op = recorder.invoked(name, nodes.get(node), request);
        Set<String> asked = new HashSet<>(Set.of(nodes.get(node)));
        Optional<Answer> answer = ask(nodes.get(node));
        while (answer.isEmpty() && System.nanoTime() - beganNanos < GIVE_UP_NANOS && goOn.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES_MILLIS);
            node = (node + 1) % nodes.size();
            asked.add(nodes.get(node));
            answer = ask(nodes.get(node));
        }
        Troubles troubles = cluster.troubles();
        if (isProxied() && troubles.flippedSince(beganNanos)) {
            mistrust();
        }
        recorder.answered(op, believed(answer, isProxied() ? asked : Set.of(), beganNanos, troubles));
    }

    /**
     * What is to be believed of an answer: nothing, if bytes were changed meanwhile on the way to a node that was asked.
     *
     * @param asked the nodes that were asked through their proxies
     */
    static Answer believed(Optional<Answer> answer, Set<String> asked, long sinceNanos, Troubles troubles) {
        if (asked.stream().anyMatch(node -> troubles.flippedSince(node, sinceNanos))) {
            return new Answer.Unknown("bytes were changed on the way");
        }
        return answer.orElseGet(() -> new Answer.Unknown("given up"));
    }
}
