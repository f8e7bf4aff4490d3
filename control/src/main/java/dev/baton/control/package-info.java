/**
 * The control plane: who may see, move and stop leadership, and what is remembered of it.
 *
 * <p>It steers seats through {@link dev.baton.control.ControlledNode}, and is served by the node on a listener of its own.
 */
@NullMarked
package dev.baton.control;

import org.jspecify.annotations.NullMarked;
