package dev.baton.duty.sequencer.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.baton.core.Bytes;
import dev.baton.core.EntryCodec;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.BlockRefusedException;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.wire.sequencer.v1.SignedBlock;
import org.jspecify.annotations.Nullable;

/** Blocks to and from the wire. */
final class WireBlocks {

    private WireBlocks() {}

    static SignedBlock encode(StoredBlock stored) {
        SignedBlock.Builder builder = SignedBlock.newBuilder()
                .setEntry(bytes(EntryCodec.encode(stored.block().entry())));
        stored.signature()
                .ifPresent(signature -> builder.setSignature(bytes(signature.bytes()))
                        .setSigner(signature.signer().value()));
        return builder.build();
    }

    static StoredBlock decode(SeatId seat, SignedBlock wire) throws BlockRefusedException {
        try {
            @Nullable
            BlockSignature signature = wire.getSignature().isEmpty()
                    ? null
                    : new BlockSignature(
                            new NodeId(wire.getSigner()),
                            Bytes.wrap(wire.getSignature().toByteArray()));
            return new StoredBlock(
                    Block.of(EntryCodec.decode(seat, wire.getEntry().asReadOnlyByteBuffer())), signature);
        } catch (IllegalArgumentException e) {
            throw new BlockRefusedException("not a block: " + e.getMessage());
        }
    }

    /** Without a copy: our bytes never change. */
    static ByteString bytes(Bytes bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes.asBuffer());
    }
}
