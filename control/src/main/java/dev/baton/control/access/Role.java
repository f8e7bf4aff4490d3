package dev.baton.control.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an identity is to the cluster. */
public enum Role {
    /** Looks. */
    OBSERVER,
    /** A person who steers. */
    OPERATOR,
    /** A program that starts and stops the sequencer beside it. */
    AGENT,
    /** For emergencies: nothing until the glass is broken, then everything, without a lease token. */
    BREAK_GLASS;

    /** The word in a policy file. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
