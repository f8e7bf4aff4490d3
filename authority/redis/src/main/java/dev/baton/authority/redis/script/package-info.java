/**
 * The scripts that run inside Redis, and how asks and answers cross to them and back.
 *
 * <p>One script per ask, each one atomic step. Nothing here knows a connection.
 */
@NullMarked
package dev.baton.authority.redis.script;

import org.jspecify.annotations.NullMarked;
