@NullMarked
package dev.baton.fence.redis;

import org.jspecify.annotations.NullMarked;
