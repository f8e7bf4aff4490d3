/**
 * One seat over several Redis nodes: pure decisions from the nodes' answers, and the shell that asks.
 *
 * <p>Nothing here knows Redis. The nodes are reached through {@link dev.baton.authority.redis.quorum.Network}, time
 * through {@link dev.baton.authority.redis.quorum.Surroundings}; so the simulator runs the same code.
 */
@NullMarked
package dev.baton.authority.redis.quorum;

import org.jspecify.annotations.NullMarked;
