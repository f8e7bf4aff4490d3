/**
 * A deterministic simulator: the production driver and rules over a simulated clock, network and processes.
 *
 * <p>A seed fixes everything that happens. {@link dev.baton.sim.Simulation} runs one seed; whoever wants to try a duty
 * of their own gives it a {@link dev.baton.sim.Scenario}.
 */
@NullMarked
package dev.baton.sim;

import org.jspecify.annotations.NullMarked;
