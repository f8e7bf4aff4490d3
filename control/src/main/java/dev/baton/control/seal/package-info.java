/** Statements that only a node of the cluster can have made: lease tokens and handoff tickets. */
@NullMarked
package dev.baton.control.seal;

import org.jspecify.annotations.NullMarked;
