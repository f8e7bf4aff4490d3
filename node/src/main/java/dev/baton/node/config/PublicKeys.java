package dev.baton.node.config;

import dev.baton.duty.sequencer.signing.Ed25519;

/** Checks the text of a public key without keeping the key. */
final class PublicKeys {

    private PublicKeys() {}

    static String checked(String text) {
        Ed25519.parsePublicKey(text);
        return text;
    }
}
