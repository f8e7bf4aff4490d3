@NullMarked
package dev.baton.authority.redis.script;

import org.jspecify.annotations.NullMarked;
