/**
 * How a node notices that a holder's process is gone.
 *
 * <p>It keeps a connection to the holder. If that closes, it probes at once: a new connection that is refused, or
 * answered by a new incarnation, is evidence. Silence never is, and safety never rests on any of this.
 */
@NullMarked
package dev.baton.node.evidence;

import org.jspecify.annotations.NullMarked;
