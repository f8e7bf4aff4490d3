package dev.baton.chaos.workload;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Request;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Writes rows, each of its own making: as a client does, at whichever node takes them, or as a prober at one node. */
final class Writer extends Client {

    /** What a standby says; the transaction is gone. */
    private static final String READ_ONLY = "25006";

    private final Databases databases = new Databases();
    private final Optional<String> only;
    private long count;
    private String row = "";

    private Writer(String name, Optional<String> only, long seed, Scene scene) {
        super(name, seed, scene);
        this.only = only;
    }

    static Writer client(String name, long seed, Scene scene) {
        return new Writer(name, Optional.empty(), seed, scene);
    }

    /**
     * One that tries to write at this node alone, past its proxy and once for each row: whenever its database can be
     * written to, this one knows.
     */
    static Writer prober(String node, long seed, Scene scene) {
        return new Writer("prober-" + node, Optional.of(node), seed, scene);
    }

    @Override
    List<String> nodes() {
        return only.map(List::of).orElseGet(super::nodes);
    }

    @Override
    Request next(Random dice) {
        count++;
        row = name() + " " + count + " " + Long.toHexString(dice.nextLong());
        return new Request.Write(row);
    }

    @Override
    Optional<Answer> ask(String node) {
        try {
            String address =
                    only.isPresent() ? cluster().dutyBehind(node) : cluster().dutyForClients(node);
            return Optional.of(new Answer.Written(node, databases.write(address, row)));
        } catch (SQLException e) {
            if (only.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(
                    READ_ONLY.equals(e.getSQLState())
                            ? new Answer.Refused("a standby")
                            : new Answer.Unknown(String.valueOf(e.getSQLState())));
        }
    }

    @Override
    boolean isProxied() {
        return only.isEmpty();
    }

    /** Each row is new anyway; but a server may keep a statement as it came. */
    @Override
    void mistrust() {
        databases.close();
    }

    @Override
    public void close() {
        databases.close();
    }
}
