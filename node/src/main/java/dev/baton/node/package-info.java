/**
 * One running node: the engine, the duties of its seats, and what people and machines may ask it.
 *
 * <p>{@link dev.baton.node.NodeMain} is the process, {@link dev.baton.node.Node} what runs in it.
 */
@NullMarked
package dev.baton.node;

import org.jspecify.annotations.NullMarked;
