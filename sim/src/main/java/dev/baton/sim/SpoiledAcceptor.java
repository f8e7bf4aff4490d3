package dev.baton.sim;

import dev.baton.authority.redis.protocol.Acceptor;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.core.Epoch;

/** A Redis node that breaks one of its rules. */
final class SpoiledAcceptor {

    private SpoiledAcceptor() {}

    static Acceptor of(Mutant mutant) {
        return switch (mutant) {
            case EPOCH_CHECK_DROPPED ->
                new Acceptor() {
                    @Override
                    protected boolean isOver(Epoch epoch) {
                        return false;
                    }
                };
            case NEVER_OVERWRITTEN ->
                new Acceptor() {
                    @Override
                    protected boolean givesWay(Epoch accepted, Epoch ballot) {
                        return false;
                    }
                };
            case BLANK_NODES_VOTE ->
                new Acceptor() {
                    @Override
                    protected boolean mayForget(Fsync fsync) {
                        return false;
                    }
                };
            default -> new Acceptor();
        };
    }
}
