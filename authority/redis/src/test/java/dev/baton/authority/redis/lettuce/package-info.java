@NullMarked
package dev.baton.authority.redis.lettuce;

import org.jspecify.annotations.NullMarked;
