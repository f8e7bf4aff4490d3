/**
 * A small sequencer in a process of its own, for tests, demos, and as an example of what a sidecar expects.
 *
 * <p>It makes empty blocks at an even pace while it is allowed to, and follows others while it is not.
 */
@NullMarked
package dev.baton.duty.remote.peer;

import org.jspecify.annotations.NullMarked;
