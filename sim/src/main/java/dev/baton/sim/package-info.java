/**
 * A deterministic simulator: the production driver and rules over a simulated clock, network and processes.
 *
 * <p>A seed fixes everything that happens. A {@link dev.baton.sim.Scenario} says what the world is like and runs a seed;
 * whoever wants to try a duty of their own gives it a {@link dev.baton.sim.DutyFactory}. A {@link dev.baton.sim.Sweep}
 * runs many seeds. The {@link dev.baton.sim.Judge} holds what happens against the rules; a
 * {@link dev.baton.sim.Mutant} is a rule broken on purpose, which it must notice.
 */
@NullMarked
package dev.baton.sim;

import org.jspecify.annotations.NullMarked;
