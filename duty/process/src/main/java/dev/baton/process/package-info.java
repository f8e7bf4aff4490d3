/**
 * Processes that must be stopped for sure: how they are found, the ladder that stops them, and the watchdog process that
 * climbs it when the node itself cannot.
 *
 * <p>Everything here reads {@code /proc}: it is for Linux.
 */
@NullMarked
package dev.baton.process;

import org.jspecify.annotations.NullMarked;
