/**
 * The standing machine: where a node is with respect to one seat, and what it must do next.
 *
 * <p>{@link dev.baton.core.standing.StandingMachine#step} is a function. Clocks, engines, duties and operators reach
 * it as {@link dev.baton.core.standing.Input}s; what must happen leaves it as {@link dev.baton.core.standing.Effect}s.
 */
@NullMarked
package dev.baton.core.standing;

import org.jspecify.annotations.NullMarked;
