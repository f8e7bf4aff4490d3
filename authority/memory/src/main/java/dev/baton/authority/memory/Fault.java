package dev.baton.authority.memory;

import java.time.Duration;

/**
 * What the network does to one request.
 *
 * <p>A delay is measured on the engine's clock and ends at the first {@link MemoryEngine#tick()} that finds it over;
 * a delay of zero ends at once.
 */
public sealed interface Fault {

    Fault NONE = new None();

    record None() implements Fault {}

    /** The engine cannot be reached, and the caller knows that nothing was sent. */
    record Refuse() implements Fault {}

    /** The request is lost on its way; the caller does not know, and hears so after a while. */
    record LoseRequest(Duration noticedAfter) implements Fault {}

    /** The request arrives and takes effect, its reply is lost; the caller does not know, and hears so after a while. */
    record LoseReply(Duration noticedAfter) implements Fault {}

    /** The request arrives later, and its reply later again. */
    record Delay(Duration toEngine, Duration toCaller) implements Fault {}

    /** The request arrives at once and is answered; a copy of it arrives later, and its reply goes nowhere. */
    record Duplicate(Duration after) implements Fault {}
}
