/**
 * The values every room speaks in: seats, epochs, terms, heights, entries and tickets.
 *
 * <p>Nothing here knows a clock, a thread, a socket or a random number.
 */
@NullMarked
package dev.baton.core;

import org.jspecify.annotations.NullMarked;
