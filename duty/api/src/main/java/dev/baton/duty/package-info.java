/** The contract of a duty: what the holder of a seat does, and how it stops. */
@NullMarked
package dev.baton.duty;

import org.jspecify.annotations.NullMarked;
