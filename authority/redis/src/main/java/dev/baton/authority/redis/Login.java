package dev.baton.authority.redis;

import java.util.Optional;

/**
 * Who we are to the Redis nodes.
 *
 * @param user an ACL user; without one, the default user
 */
public record Login(Optional<String> user, String password) {

    /** Never tells the password: settings are printed and logged. */
    @Override
    public String toString() {
        return user.orElse("default") + " with a password";
    }
}
