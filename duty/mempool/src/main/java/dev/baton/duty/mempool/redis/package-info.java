/** The pool that many nodes share: one Redis, one script per operation. */
@NullMarked
package dev.baton.duty.mempool.redis;

import org.jspecify.annotations.NullMarked;
