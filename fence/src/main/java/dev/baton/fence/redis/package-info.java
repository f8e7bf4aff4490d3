/** Fences writes to a Redis; needs Lettuce. */
@NullMarked
package dev.baton.fence.redis;

import org.jspecify.annotations.NullMarked;
