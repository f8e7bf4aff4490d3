package dev.baton.fence.redis;

import java.util.List;

/**
 * A command of Redis that writes one key, the first argument: {@code SET}, {@code HSET}, {@code RPUSH}, {@code DEL} …
 *
 * @param arguments what follows the key
 */
public record RedisWrite(String command, String key, List<String> arguments) {

    /** As many as Lua passes on at once, with room to spare. */
    private static final int MOST_ARGUMENTS = 4000;

    public RedisWrite {
        arguments = List.copyOf(arguments);
        if (arguments.size() > MOST_ARGUMENTS) {
            throw new IllegalArgumentException(command + " " + key + ": " + arguments.size()
                    + " arguments (expected: at most " + MOST_ARGUMENTS + "; use several writes)");
        }
    }

    public static RedisWrite of(String command, String key, String... arguments) {
        return new RedisWrite(command, key, List.of(arguments));
    }
}
