/**
 * The ways to the Redis nodes, over Lettuce; its types stop here.
 *
 * <p>At most once: nothing is ever sent again behind the asker's back. A node that does not answer costs a bounded
 * amount of memory, and nobody else's time.
 */
@NullMarked
package dev.baton.authority.redis.lettuce;

import org.jspecify.annotations.NullMarked;
