@NullMarked
package dev.baton.authority.nats.seat;

import org.jspecify.annotations.NullMarked;
