/** One seat in a stream: its messages, what they mean, and how the next one gets in. */
@NullMarked
package dev.baton.authority.nats.seat;

import org.jspecify.annotations.NullMarked;
