package dev.baton.control.seal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.baton.core.Epoch;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.wire.control.v1.Sealed;
import dev.baton.wire.control.v1.TermStatement;
import java.util.Optional;

/**
 * Names a term in a way that only a node of the cluster can.
 *
 * <p>Whoever shows a token says: I know of this term, and mean it. A node acts on it only if the seat has not moved on
 * since, so that automation that was asleep cannot stop the wrong holder. It needs no time of expiry: the end of its term
 * is its end.
 */
public final class LeaseTokens {

    private static final String PURPOSE = "baton lease token 1";

    private final ClusterKey key;

    public LeaseTokens(ClusterKey key) {
        this.key = key;
    }

    /** @param epoch of the newest term that is known; zero if none is */
    public ByteString issue(SeatId seat, Epoch epoch) {
        ByteString statement = statement(seat, epoch).build().toByteString();
        return Sealed.newBuilder()
                .setStatement(statement)
                .setSeal(ByteString.copyFrom(key.seal(PURPOSE, statement.toByteArray())))
                .build()
                .toByteString();
    }

    private static TermStatement.Builder statement(SeatId seat, Epoch epoch) {
        return TermStatement.newBuilder()
                .setCluster(seat.cluster().value())
                .setSeat(seat.seat().value())
                .setEra(seat.era().value())
                .setEpoch(epoch.value());
    }

    static TermStatement statement(SeatId seat, Term term) {
        return statement(seat, term.epoch())
                .setHolder(term.node().value())
                .setHolderIncarnation(term.holder().incarnation().value())
                .build();
    }

    /** Why the token does not name this epoch of this seat; empty if it does. */
    public Optional<String> objection(ByteString token, SeatId seat, Epoch epoch) {
        if (token.isEmpty()) {
            return Optional.of("lease_token: missing (expected: the one that Status answers)");
        }
        TermStatement named;
        try {
            Sealed sealed = Sealed.parseFrom(token);
            byte[] statement = sealed.getStatement().toByteArray();
            if (!key.isSealed(PURPOSE, statement, sealed.getSeal().toByteArray())) {
                return Optional.of("lease_token: its seal is not this cluster's");
            }
            named = TermStatement.parseFrom(statement);
        } catch (InvalidProtocolBufferException e) {
            return Optional.of("lease_token: not a token (expected: the one that Status answers)");
        }
        TermStatement expected = statement(seat, epoch).build();
        return named.equals(expected)
                ? Optional.empty()
                : Optional.of("lease_token: of term " + show(named) + " (expected: " + show(expected)
                        + ", the term that is known here; ask for Status again)");
    }

    private static String show(TermStatement term) {
        return term.getEpoch() + " of " + term.getCluster() + "/" + term.getSeat() + " era " + term.getEra();
    }
}
