package dev.baton.authority.nats;

import java.nio.file.Path;

/** Who we are to NATS. */
public sealed interface Login {

    /** A user of the server's configuration. */
    record ByPassword(String user, String password) implements Login {

        /** Never tells the password: settings are printed and logged. */
        @Override
        public String toString() {
            return user + " with a password";
        }
    }

    /** A user's JWT and its key, in the file that {@code nsc} writes. It is read anew at every connection. */
    record ByCredentials(Path file) implements Login {}
}
