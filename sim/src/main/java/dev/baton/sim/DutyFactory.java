package dev.baton.sim;

import dev.baton.core.Holder;
import dev.baton.duty.Duty;

/**
 * Makes the duty of a process that just started.
 *
 * <p>What the duty keeps over a restart is whatever the factory keeps: nothing, a map by node, a simulated disk. The
 * judge watches every duty by itself; a duty with promises of its own tells it more by {@link Judge#expect}. Time and
 * chance come from the world alone, or a seed would not fix what happens.
 */
@FunctionalInterface
public interface DutyFactory {
    Duty create(Holder self, World world, Judge judge);
}
