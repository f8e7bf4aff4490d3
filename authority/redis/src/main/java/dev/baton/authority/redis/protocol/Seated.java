package dev.baton.authority.redis.protocol;

import dev.baton.core.Seating;
import java.time.Duration;

/** Who sits on the seat as one node has it, and for how long. */
public record Seated(Seating seating, Duration left) {}
