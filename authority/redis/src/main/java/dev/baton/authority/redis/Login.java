package dev.baton.authority.redis;

import java.util.Optional;

/**
 * Who we are to the Redis nodes.
 *
 * <p>An ACL user needs {@code ~baton:* &__keyevent@0__:* +@connection +@read +@write +@keyspace +@scripting +@pubsub
 * +info}; with {@code +config|get +config|set} the node's disk can be trusted and its events are switched on.
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
