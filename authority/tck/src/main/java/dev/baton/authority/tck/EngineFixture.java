package dev.baton.authority.tck;

import dev.baton.authority.Authority;
import dev.baton.core.NodeId;
import java.time.Duration;

/**
 * A running engine, as the test kit starts, disturbs and stops it.
 *
 * <p>One fixture serves all tests of a class, one test after the other; each test uses seats of its own, and at its
 * end gives up what it still holds. The kit calls the fixture from one thread at a time, and the authorities from
 * many. Whatever a method throws fails the test.
 */
public interface EngineFixture extends AutoCloseable {

    /**
     * Starts the process-like member of a node and connects it; returns once calls on it can succeed.
     *
     * <p>Nodes are called {@code n1} to {@code n8}; which of them join, and when, is up to each test. If what was handed
     * out for the node before still works, this is a restart of its process: that is closed first, without resigning.
     * If the node was silenced, or the kit has closed what it was handed, the node comes back. If the engine was
     * restarted meanwhile, this merely connects. The kit draws incarnations itself and names them in each {@link
     * dev.baton.authority.Candidate}.
     *
     * <p>Where the engine lives in the nodes (Raft), {@code n1}, {@code n2} and {@code n3} are three different
     * members. They run from the beginning, since a test may join one alone; their first join merely connects. The
     * others may share them: the authority of {@code n4} may be one more handle on the member of {@code n1}. Joining
     * {@code n4} to {@code n8} restarts no member. When one of the three joins again, the kit drops all handles of the
     * others and lets them join anew before it uses them.
     */
    Authority join(NodeId node) throws Exception;

    /**
     * Makes the node fall silent without resigning, as if its process were killed or paused: from now on it renews
     * nothing. The kit does not use its authority until it joins again.
     *
     * <p>Where only the holder's appends renew its lease, there is nothing to do. Where the engine in the node's
     * process renews by itself (Raft), that member stops, and with it those who share it; the others must still have a
     * majority. The kit lets at most one node be silent at a time, one of {@code n1}, {@code n2} and {@code n3}, and
     * lets it join again at the end of the test at the latest.
     */
    void silence(NodeId node) throws Exception;

    /**
     * The shortest time for which the engine leaves the seat to a holder that has fallen silent: the lease, or the
     * shortest election timeout. Choose at least a second, or a busy machine takes seats from tests that still work.
     */
    Duration lease();

    /** How long a test waits for something that must happen, such as a successor's election, before it fails. */
    default Duration patience() {
        return Duration.ofSeconds(60);
    }

    /**
     * Stops the whole engine and starts it again on its durable data; returns once it runs. What was handed out before
     * may be dead: the kit lets every node join again before it goes on.
     */
    void restartEngine() throws Exception;

    /** Stops everything. */
    @Override
    void close() throws Exception;
}
