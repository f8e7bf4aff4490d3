/** Refuses, where it is written, what a replaced holder still sends. */
@NullMarked
package dev.baton.fence;

import org.jspecify.annotations.NullMarked;
