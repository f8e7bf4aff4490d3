/** Real Redis servers for tests, of this module and of others. */
@NullMarked
package dev.baton.authority.redis.testing;

import org.jspecify.annotations.NullMarked;
