package dev.baton.node;

import dev.baton.control.ControlledSeat.HeadFacts;
import dev.baton.core.Height;
import dev.baton.duty.Duty;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.Submitter;
import dev.baton.duty.tokens.Tokens;
import dev.baton.duty.tokens.rpc.TokenMeter;
import dev.baton.node.metrics.NodeMetrics;
import io.grpc.BindableService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A duty, and what the node offers others because of it. */
public interface ServedDuty extends AutoCloseable {

    /** The word that stands in the configuration. */
    String kind();

    Duty duty();

    /**
     * Whether all that the duty knows is in the ledger, so that an engine which forgets would have it begin again. Then the
     * node remembers how far it had followed that.
     */
    default boolean knowsOnlyTheLedger() {
        return false;
    }

    /** What is added to the node's gRPC server. */
    default List<BindableService> services() {
        return List.of();
    }

    /** The blocks that this duty keeps, if it keeps any. */
    default Optional<Chain> chain() {
        return Optional.empty();
    }

    /** Where transactions go, if the duty takes any. */
    default Optional<Submitter> submitter() {
        return Optional.empty();
    }

    /** Tokens, if the duty hands any out. */
    default Optional<Tokens> tokens() {
        return Optional.empty();
    }

    /** Is told what came of the node's own calls for tokens, so that they count like those over gRPC. */
    default TokenMeter tokenMeter() {
        return TokenMeter.NONE;
    }

    /** A pool of transactions, if the duty watches one. */
    default Optional<Mempool> mempool() {
        return Optional.empty();
    }

    /** Shows the duties of this node to each other, before anything is joined. */
    default void meet(List<ServedDuty> others) throws NodeFailure {}

    /** A database, if the duty runs one. */
    default Optional<PostgresDuty> postgres() {
        return Optional.empty();
    }

    /** Opens what the duty listens on besides the node's own servers, and adds what only it measures. */
    default void listen(NodeMetrics metrics) throws NodeFailure {}

    /**
     * Called about once a second, for those who are asked whether they serve.
     *
     * @param ready whether this node could hold the seat
     * @param leads whether it does
     */
    default void serving(boolean ready, boolean leads) {}

    /** Called for each scrape and status; must not block. */
    default Figures figures() {
        return Figures.NONE;
    }

    /** What only the duty knows of the head. Must not block. */
    default HeadFacts headFacts() {
        return new HeadFacts("", 0, 0, 0);
    }

    /** After the seat was left: closes files and connections. */
    @Override
    default void close() throws Exception {}

    /**
     * What a duty counts.
     *
     * @param safeHeight the highest block that is published where it cannot be lost
     * @param backlog blocks that are committed but not yet published
     * @param pool transactions that wait for a block
     * @param lastPublishTook how long publishing took last; zero before the first time
     */
    record Figures(Height safeHeight, long backlog, long pool, Duration lastPublishTook) {
        public static final Figures NONE = new Figures(Height.ZERO, 0, 0, Duration.ZERO);
    }
}
