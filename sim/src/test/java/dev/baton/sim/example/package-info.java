/** A duty of somebody else's in the simulator: what {@code docs/guides/simulate.md} shows. */
@NullMarked
package dev.baton.sim.example;

import org.jspecify.annotations.NullMarked;
