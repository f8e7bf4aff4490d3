package dev.baton.duty.mempool;

import java.util.List;

/** What a subscriber gets. */
public sealed interface EventBatch {

    /** The next events in order; none if nothing happened while it waited. */
    record Next(List<Event> events) implements EventBatch {
        public Next {
            events = List.copyOf(events);
        }
    }

    /**
     * Events are missing: they are older than what the pool keeps. Read the state anew, and go on from {@code oldest}.
     *
     * @param oldest the first event that can still be had
     */
    record FellBehind(long wanted, long oldest) implements EventBatch {}
}
