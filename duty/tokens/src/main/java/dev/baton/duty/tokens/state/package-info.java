/** The rules of the token service: what is decided, what is written down, what it leads to. No clock, thread or I/O. */
@NullMarked
package dev.baton.duty.tokens.state;

import org.jspecify.annotations.NullMarked;
