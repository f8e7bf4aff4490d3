package dev.baton.duty.remote.admin;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.duty.remote.BlockRef;
import dev.baton.duty.remote.Lease;
import dev.baton.duty.remote.PeerTime;
import dev.baton.wire.control.v1.Sealed;
import dev.baton.wire.remote.v1.LeaseStatement;
import java.util.Optional;

/** Writes leases as sealed tokens, and reads them. */
public final class LeaseTokens {

    /** What came of reading a token. */
    public sealed interface Read {

        record Good(Lease lease) implements Read {}

        record Bad(String why) implements Read {}
    }

    private final LeaseKey key;

    public LeaseTokens(LeaseKey key) {
        this.key = key;
    }

    public ByteString issue(Lease lease) {
        ByteString statement = LeaseStatement.newBuilder()
                .setCluster(lease.seat().cluster().value())
                .setSeat(lease.seat().seat().value())
                .setEra(lease.seat().era().value())
                .setEpoch(lease.epoch().value())
                .setHolder(lease.holder().value())
                .setRecordedNumber(lease.recorded().number())
                .setRecordedHash(ByteString.copyFrom(lease.recorded().hash().asBuffer()))
                .setIncarnation(lease.until().map(PeerTime::incarnation).orElse(0L))
                .setUntilMillis(lease.until().map(PeerTime::millis).orElse(0L))
                .build()
                .toByteString();
        return Sealed.newBuilder()
                .setStatement(statement)
                .setSeal(ByteString.copyFrom(key.seal(statement.toByteArray())))
                .build()
                .toByteString();
    }

    public Read read(ByteString token) {
        if (token.isEmpty()) {
            return new Read.Bad("lease_token: missing (expected: one that a node of the cluster issued)");
        }
        try {
            Sealed sealed = Sealed.parseFrom(token);
            byte[] statement = sealed.getStatement().toByteArray();
            return key.isSealed(statement, sealed.getSeal().toByteArray())
                    ? new Read.Good(lease(LeaseStatement.parseFrom(statement)))
                    : new Read.Bad("lease_token: its seal is not this cluster's");
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            return new Read.Bad("lease_token: not a token (expected: one that a node of the cluster issued)");
        }
    }

    private static Lease lease(LeaseStatement said) {
        return new Lease(
                new SeatId(new ClusterId(said.getCluster()), new SeatName(said.getSeat()), new Era(said.getEra())),
                new Epoch(said.getEpoch()),
                new NodeId(said.getHolder()),
                new BlockRef(
                        said.getRecordedNumber(), Hash.of(said.getRecordedHash().toByteArray())),
                said.getIncarnation() == 0
                        ? Optional.empty()
                        : Optional.of(new PeerTime(said.getIncarnation(), said.getUntilMillis())));
    }
}
