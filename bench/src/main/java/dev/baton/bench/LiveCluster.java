package dev.baton.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster of real processes that a benchmark may hurt. Calls block. */
public interface LiveCluster extends AutoCloseable {

    /** Makes clusters; each is new, in a folder of its own. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts a cluster.
         *
         * @param duty what its holder does: {@code sequencer} or {@code tokens}
         */
        LiveCluster start(String authority, String duty, Duration interval) throws Exception;
    }

    /** A milestone of a takeover, by the wall clock that all processes of a machine share. */
    record Milestone(String name, long epoch, long atMicros) {}

    /** The wall clock in microseconds, as milestones have it. */
    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** How long it took from the start of the first process to the first committed block. */
    Duration toFirstBlock();

    List<String> nodes();

    /** Waits until somebody leads and every node is ready; who leads. */
    String awaitCalm() throws InterruptedException;

    /** Kills the node's process with SIGKILL; when, in microseconds of the wall clock. It will be started again. */
    long kill(String node) throws InterruptedException;

    /** Stops the node's process with SIGSTOP; when, in microseconds of the wall clock. */
    long freeze(String node) throws InterruptedException;

    /** Lets a frozen process go on. */
    void wake(String node) throws InterruptedException;

    /** Hands the seat over and waits until the target leads; when the request was sent, in microseconds. */
    long handOff(String target) throws InterruptedException;

    /** What this node passed lately; nothing if it does not answer. */
    List<Milestone> milestones(String node) throws InterruptedException;

    /** Whom this node names as the holder; nothing if it names nobody, or does not answer. */
    Optional<String> holderNamedBy(String node) throws InterruptedException;

    /** Stops every node and starts it again, with what it has; from then on a block comes in each such interval. */
    void restart(Duration interval) throws Exception;

    /** Where each node answers HTTP, on the loopback address. */
    Map<String, Integer> httpPorts();

    /** The process ids of the nodes as they are now. */
    Map<String, Long> processes() throws InterruptedException;

    /** Stops everything; nothing is left running or lying about. */
    @Override
    void close() throws Exception;
}
