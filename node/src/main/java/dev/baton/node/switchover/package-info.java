/** Changes of the primary that are wanted: by command, at a time, and back to a preferred node. */
@NullMarked
package dev.baton.node.switchover;

import org.jspecify.annotations.NullMarked;
