@NullMarked
package dev.baton.authority.redis;

import org.jspecify.annotations.NullMarked;
