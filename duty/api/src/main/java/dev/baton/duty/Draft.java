package dev.baton.duty;

import dev.baton.core.Bytes;
import dev.baton.core.Fact;
import java.util.List;

/** What a duty wants committed next. */
public record Draft(Bytes payload, List<Fact> facts) {

    public Draft {
        facts = List.copyOf(facts);
    }

    public static Draft of(Bytes payload) {
        return new Draft(payload, List.of());
    }
}
