/** The watcher: one node that tells the pool what the chain says, under the term of a seat. */
@NullMarked
package dev.baton.duty.mempool.watch;

import org.jspecify.annotations.NullMarked;
