/** Programs that hold a seat: embedded in the program, and as a sidecar beside it. */
@NullMarked
package dev.baton.examples;

import org.jspecify.annotations.NullMarked;
