/**
 * Seats and ledgers in NATS JetStream: a stream for each seat, and one compare-and-set publish for each change.
 *
 * <p>{@code wire} reaches the servers, {@code seat} knows what the messages of a stream mean; here is what others use.
 */
@NullMarked
package dev.baton.authority.nats;

import org.jspecify.annotations.NullMarked;
