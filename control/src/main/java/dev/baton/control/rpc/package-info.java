/** The listener, its calls, and the gate in front of them. */
@NullMarked
package dev.baton.control.rpc;

import org.jspecify.annotations.NullMarked;
