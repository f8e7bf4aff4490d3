/**
 * What a node asks of one Redis node and what that answers, as values; and the same rules as the scripts', in Java.
 *
 * <p>Each Redis node is an acceptor in the sense of Paxos: the epoch is the ballot, one height is in flight at a time.
 */
@NullMarked
package dev.baton.authority.redis.protocol;

import org.jspecify.annotations.NullMarked;
