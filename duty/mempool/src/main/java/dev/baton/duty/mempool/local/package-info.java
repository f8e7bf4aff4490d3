/** The pool in one process: the reference that says in plain code what every pool does, in memory or on a disk. */
@NullMarked
package dev.baton.duty.mempool.local;

import org.jspecify.annotations.NullMarked;
