package dev.baton.duty.sequencer.block;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A block as a node keeps it: whoever filled a gap from the ledger may have no signature yet. */
public record StoredBlock(Block block, @Nullable BlockSignature signatureOrNull) {

    public static StoredBlock of(SignedBlock signed) {
        return new StoredBlock(signed.block(), signed.signature());
    }

    public static StoredBlock unsigned(Block block) {
        return new StoredBlock(block, null);
    }

    public Optional<BlockSignature> signature() {
        return Optional.ofNullable(signatureOrNull);
    }
}
