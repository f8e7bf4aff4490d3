package dev.baton.duty.sequencer.signing;

import dev.baton.core.Bytes;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** Ed25519 as the JDK has it, and the text form of its public keys. */
public final class Ed25519 {

    static final String ALGORITHM = "Ed25519";

    private Ed25519() {}

    static Bytes sign(PrivateKey key, Bytes message) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        signature.initSign(key);
        signature.update(message.asBuffer());
        return Bytes.wrap(signature.sign());
    }

    static boolean verifies(PublicKey key, Bytes message, Bytes signed) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(key);
            signature.update(message.asBuffer());
            return signature.verify(signed.toArray());
        } catch (GeneralSecurityException e) {
            // Bytes that are no signature at all are told to us this way.
            return false;
        }
    }

    /** The key as one line of Base64, for configuration files. */
    public static String toText(PublicKey key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    /** Reads what {@link #toText} wrote. */
    public static PublicKey parsePublicKey(String text) {
        try {
            return KeyFactory.getInstance(ALGORITHM)
                    .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(text)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "public key: \"" + text + "\" (expected: an Ed25519 key, X.509 encoded, in Base64)", e);
        }
    }
}
