/**
 * An engine in memory: for tests, and for the simulator, which brings its own clock and network faults.
 *
 * <p>Nothing here starts a thread or reads a clock of its own. What outlives a "restart" lives in {@link
 * dev.baton.authority.memory.MemoryEngine}; nothing outlives the process.
 */
@NullMarked
package dev.baton.authority.memory;

import org.jspecify.annotations.NullMarked;
