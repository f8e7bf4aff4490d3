package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.quorum.Network;
import java.util.Optional;

/** The events by which a Redis tells that a seat was freed or taken, without being asked. */
final class KeyspaceEvents {

    private static final String STEM = "__keyevent@0__:";

    /** A {@code SET} with a time to live says {@code expire}, too, so that {@code set} itself is not needed. */
    static final String[] CHANNELS = {STEM + "expired", STEM + "del", STEM + "expire"};

    private KeyspaceEvents() {}

    static Optional<Network.News.Kind> kindOf(String channel) {
        return switch (channel) {
            case STEM + "expired", STEM + "del" -> Optional.of(Network.News.Kind.FREED);
            case STEM + "expire" -> Optional.of(Network.News.Kind.RENEWED);
            default -> Optional.empty();
        };
    }

    /** The flags already set, and those we need: events by name, of expiry and of commands on any type. */
    static String merged(String flags) {
        StringBuilder merged = new StringBuilder(flags);
        for (char needed : new char[] {'E', 'x', 'g'}) {
            boolean there = flags.indexOf(needed) >= 0 || (needed != 'E' && flags.indexOf('A') >= 0);
            if (!there) {
                merged.append(needed);
            }
        }
        return merged.toString();
    }
}
