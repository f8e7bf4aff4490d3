package dev.baton.authority.redis.testing;

import java.io.IOException;

/** A Redis refused a command. */
public final class RedisError extends IOException {

    RedisError(String message) {
        super(message);
    }
}
