/** Unique, ordered tokens: what callers ask for and what they are answered. */
@NullMarked
package dev.baton.duty.tokens;

import org.jspecify.annotations.NullMarked;
