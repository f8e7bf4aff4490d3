package dev.baton.core.standing;

import java.util.ArrayList;
import java.util.List;

/** The next standing, and what must be done on the way, in order. */
public record Step(Standing next, List<Effect> effects) {

    public Step {
        effects = List.copyOf(effects);
    }

    static Step to(Standing next, Effect... effects) {
        return new Step(next, List.of(effects));
    }

    Step and(Effect... more) {
        List<Effect> all = new ArrayList<>(effects);
        all.addAll(List.of(more));
        return new Step(next, all);
    }
}
