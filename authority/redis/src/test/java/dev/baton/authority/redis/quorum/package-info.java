@NullMarked
package dev.baton.authority.redis.quorum;

import org.jspecify.annotations.NullMarked;
