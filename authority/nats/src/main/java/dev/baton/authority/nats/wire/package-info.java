/**
 * The servers of NATS, and requests to them that end in time.
 *
 * <p>No type of this package knows what a seat is.
 */
@NullMarked
package dev.baton.authority.nats.wire;

import org.jspecify.annotations.NullMarked;
