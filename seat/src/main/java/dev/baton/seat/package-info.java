/**
 * A seat at work: the driver that runs the standing machine over an engine and a duty, and the door for programs that
 * want to hold a seat ({@link dev.baton.seat.Seat}).
 */
@NullMarked
package dev.baton.seat;

import org.jspecify.annotations.NullMarked;
