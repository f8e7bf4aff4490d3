package dev.baton.duty.sequencer.signing;

import dev.baton.core.Era;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import java.security.PublicKey;
import java.util.Optional;

/** Tells whether a block's signature is one of a known node. Thread-safe. */
public final class BlockVerifier {

    private final Era era;
    private final KeyRing keys;

    public BlockVerifier(Era era, KeyRing keys) {
        this.era = era;
        this.keys = keys;
    }

    /** What is wrong with the signature; empty if nothing is. */
    public Optional<String> fault(Block block, BlockSignature signature) {
        Optional<PublicKey> key = keys.keyOf(signature.signer());
        if (key.isEmpty()) {
            return Optional.of(block + " is signed by " + signature.signer()
                    + ", whose public key is not known here (add it to this node's configuration)");
        }
        if (!verifies(key.get(), block, signature)) {
            return Optional.of(block + " has a signature that does not match the public key of " + signature.signer());
        }
        return Optional.empty();
    }

    private boolean verifies(PublicKey key, Block block, BlockSignature signature) {
        int oldest = block.height().isAbove(keys.lastOfEarlierEras()) ? era.value() : Era.FIRST.value();
        for (int tried = era.value(); tried >= oldest; tried--) {
            if (Ed25519.verifies(key, SigningMessage.of(new Era(tried), block.hash()), signature.bytes())) {
                return true;
            }
        }
        return false;
    }
}
