@NullMarked
package dev.baton.authority.redis.protocol;

import org.jspecify.annotations.NullMarked;
