@NullMarked
package dev.baton.duty.mempool.redis;

import org.jspecify.annotations.NullMarked;
