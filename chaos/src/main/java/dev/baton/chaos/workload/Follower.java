package dev.baton.chaos.workload;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;

/** Follows the chain as those do who rely on it: from whichever sequencer, and only as far as it is in the ledger. */
final class Follower extends Client {

    private final Sequencers sequencers = new Sequencers();
    private long before;
    private long known;

    Follower(String name, long seed, Scene scene) {
        super(name, seed, scene);
    }

    @Override
    Request next(Random dice) {
        before = known;
        return new Request.Follow(known);
    }

    @Override
    Optional<Answer> ask(String node) {
        try {
            String address = cluster().dutyForClients(node);
            long recorded = sequencers.recorded(address);
            Optional<Held> block = recorded > known ? sequencers.block(address, recorded) : Optional.empty();
            block.ifPresent(held -> known = held.height());
            return block.map(held -> new Answer.Recorded(node, held.height(), held.hash(), held.epoch()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    void mistrust() {
        known = before;
    }

    @Override
    public void close() {
        sequencers.close();
    }
}
