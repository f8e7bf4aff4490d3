package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Request;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Sends transactions over HTTP, each of its own making. */
abstract class TransactionClient extends Client {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final String path;
    private final NodeHttp http = new NodeHttp();
    private long count;
    private Bytes transaction = Bytes.EMPTY;
    private String hash = "";

    TransactionClient(String name, long seed, Scene scene, String path) {
        super(name, seed, scene);
        this.path = path;
    }

    abstract Request request(String hash);

    /** What the node has answered; empty if that is not clear. */
    abstract Optional<Answer> understood(NodeHttp.Reply reply, String hash);

    @Override
    final Request next(Random dice) {
        count++;
        transaction = Bytes.utf8(name() + " " + count + " " + Long.toHexString(dice.nextLong()));
        hash = Hash.sha256(transaction).toString();
        return request(hash);
    }

    @Override
    final Optional<Answer> ask(String node) throws InterruptedException {
        try {
            return understood(http.post(cluster().httpForClients(node), path, transaction.toArray(), PATIENCE), hash);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    final void mistrust() {
        // Each transaction is new anyway.
    }
}
