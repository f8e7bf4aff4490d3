package dev.baton.chaos.run;

import dev.baton.chaos.checker.Rule;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.JournalWriter;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.shrink.Shrink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Looks for a shorter schedule that fails in the same way, by running parts of one that failed. */
final class Shrinking {

    /** The journal of the shorter schedule, to be replayed. */
    static final String SHRUNK = "shrunk.jsonl";

    private static final int MOST_TRIES = 40;

    private final Runs runs;
    private final Consumer<String> tell;
    private int tries;
    private boolean stopped;

    Shrinking(Runs runs, Consumer<String> tell) {
        this.runs = runs;
        this.tell = tell;
    }

    /**
     * Searches, and leaves the shortest schedule as a journal that can be replayed.
     *
     * @param broken what the whole schedule broke: a part that breaks none of these shows another failure
     */
    Shrink.Outcome<PlannedFault> search(ChaosSettings settings, Event.Begun failed, Set<Rule> broken)
            throws IOException {
        List<PlannedFault> plan = failed.plan();
        Shrink.Outcome<PlannedFault> found;
        try {
            found = Shrink.search(
                    plan, part -> fails(settings, part, plan.size(), broken), () -> !stopped && tries < MOST_TRIES);
        } catch (UncheckedIOException e) {
            throw new IOException("a try could not be run: " + e.getMessage(), e);
        }
        Path journal = settings.report().resolve(SHRUNK);
        try (JournalWriter writer = JournalWriter.create(journal)) {
            writer.append(new Event.Begun(0, failed.setting(), found.smallest()));
        }
        tell.accept("shrink: " + found.smallest().size() + " of " + plan.size() + " faults still fail after "
                + found.tries() + " tries" + (found.minimal() ? "" : ", not searched to the end")
                + "; ./baton chaos --replay " + journal);
        return found;
    }

    private boolean fails(ChaosSettings settings, List<PlannedFault> part, int whole, Set<Rule> broken) {
        tries++;
        tell.accept("shrink: try " + tries + " with " + part.size() + " of " + whole + " faults");
        try {
            ChaosRun.Outcome outcome =
                    runs.run(settings.with(part, settings.report().resolve("shrink-" + tries)), line -> {});
            stopped |= outcome.wasInterrupted();
            return !Collections.disjoint(outcome.judgement().counts().keySet(), broken);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            stopped = true; // the best so far is left behind
            return false;
        }
    }
}
