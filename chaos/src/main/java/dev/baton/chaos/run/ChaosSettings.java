package dev.baton.chaos.run;

import dev.baton.chaos.nemesis.Nemesis;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a run is to be.
 *
 * @param kinds which faults may happen; those that do not apply to the authority are left out
 * @param schedule the faults themselves, if they are not to come from the seed
 * @param report where the journal and the report go; an empty or new folder
 * @param untilFound whether it ends with the first violation that no later event could take back
 */
public record ChaosSettings(
        String authority,
        String duty,
        long seed,
        Duration lasting,
        Set<FaultKind> kinds,
        Optional<List<PlannedFault>> schedule,
        Path report,
        boolean untilFound) {

    static final String JOURNAL = "journal.jsonl";

    public ChaosSettings {
        kinds = Set.copyOf(kinds);
        schedule = schedule.map(List::copyOf);
    }

    /** A run that lasts as long as it is to, whatever is found. */
    public ChaosSettings(
            String authority,
            String duty,
            long seed,
            Duration lasting,
            Set<FaultKind> kinds,
            Optional<List<PlannedFault>> schedule,
            Path report) {
        this(authority, duty, seed, lasting, kinds, schedule, report, false);
    }

    /** What repeats this run. */
    String command() {
        if (schedule.isPresent()) {
            return "./baton chaos --replay " + report.resolve(JOURNAL);
        }
        String only = kinds.equals(Nemesis.KINDS)
                ? ""
                : kinds.stream().sorted().map(FaultKind::label).collect(Collectors.joining(",", " --faults ", ""));
        return "./baton chaos --authority " + authority + " --duty " + duty + " --seed " + seed + " --for "
                + lasting.toSeconds() + "s" + only;
    }

    /**
     * Whether engine servers may lose the last second: only if that is among the faults. With servers that sync before
     * they answer it would break a promise that the engine gave, and nothing that rests on it could be kept.
     */
    boolean forgetful() {
        return schedule.map(faults -> faults.stream().anyMatch(each -> each.kind() == FaultKind.ENGINE_ROLLBACK))
                .orElse(kinds.contains(FaultKind.ENGINE_ROLLBACK));
    }

    /** The same with another schedule, and over as soon as that has shown what is wrong. */
    ChaosSettings with(List<PlannedFault> changed, Path other) {
        return new ChaosSettings(authority, duty, seed, lasting, kinds, Optional.of(changed), other, true);
    }
}
