package dev.baton.chaos.run;

import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a run is to be.
 *
 * @param kinds which faults may happen; those that do not apply to the authority are left out
 * @param schedule the faults themselves, if they are not to come from the seed
 * @param report where the journal and the report go; an empty or new folder
 */
public record ChaosSettings(
        String authority,
        String duty,
        long seed,
        Duration lasting,
        Set<FaultKind> kinds,
        Optional<List<PlannedFault>> schedule,
        Path report) {

    public ChaosSettings {
        kinds = Set.copyOf(kinds);
        schedule = schedule.map(List::copyOf);
    }

    /** What repeats this run. */
    String command() {
        return "./baton chaos --authority " + authority + " --duty " + duty + " --seed " + seed + " --for "
                + lasting.toSeconds() + "s";
    }

    ChaosSettings with(List<PlannedFault> changed, Path other) {
        return new ChaosSettings(authority, duty, seed, lasting, kinds, Optional.of(changed), other);
    }
}
