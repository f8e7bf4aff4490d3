/** The search for the shortest schedule that still fails. */
@NullMarked
package dev.baton.chaos.shrink;

import org.jspecify.annotations.NullMarked;
