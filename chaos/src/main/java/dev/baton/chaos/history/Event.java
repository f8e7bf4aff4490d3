package dev.baton.chaos.history;

import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Something that happened in a run.
 *
 * <p>Every {@code atNanos} is the harness' own monotonic time since the run began. An invocation is stamped before the
 * request leaves and an answer after it came, so that "answered before invoked" is true in real time.
 */
public sealed interface Event {

    long atNanos();

    /** The first event: what is about to be run, with the whole schedule. */
    record Begun(long atNanos, Setting setting, List<PlannedFault> plan) implements Event {
        public Begun {
            plan = List.copyOf(plan);
        }
    }

    /** A client sends a request to a node; {@code op} is unique in the run. */
    record Invoked(long atNanos, long op, String client, String node, Request request) implements Event {}

    /** The end of an operation for its client. An operation without one counts as unknown. */
    record Answered(long atNanos, long op, Answer answer) implements Event {}

    /** A fault is in force; {@code targets} are names, whoever led among them by its own. */
    record FaultBegan(long atNanos, int fault, FaultKind kind, List<String> targets, Map<String, String> parameters)
            implements Event {
        public FaultBegan {
            targets = List.copyOf(targets);
            parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        }
    }

    /** A fault is no longer in force: the process runs again, the link is whole. */
    record FaultEnded(long atNanos, int fault) implements Event {}

    /** A planned fault could not be done. It counts as not done, whether or not it began. */
    record FaultFailed(long atNanos, int fault, String why) implements Event {}

    /**
     * What a node says about itself. For the timeline only: the judge never looks at it.
     *
     * @param standing the standing's name in lower case; empty if the node did not answer
     */
    record Sampled(long atNanos, String node, String standing, long epoch, long head, boolean up) implements Event {}

    /** An independent reader saw a block at a node ({@code source}) over the public API. */
    record BlockSeen(long atNanos, String reader, String source, Held block) implements Event {}

    /**
     * What a node's store holds at the end, when all faults are over and the cluster has settled. A store may come in
     * pieces: events of one source add up.
     */
    record FinalStore(long atNanos, String source, List<Held> blocks) implements Event {
        public FinalStore {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * What an engine's member holds at the end, read without the product's own code where that can be done. In pieces,
     * like a store. Members that the cluster replaced by others are left out.
     */
    record FinalLedger(long atNanos, String source, List<Held> blocks) implements Event {
        public FinalLedger {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * What a node's state says at the end of where the tokens of a namespace went, term by term.
     *
     * @param rememberedFrom tokens below this one belong to terms that have been forgotten
     */
    record FinalTokens(long atNanos, String source, String namespace, long rememberedFrom, List<Reserved> ranges)
            implements Event {
        public FinalTokens {
            ranges = List.copyOf(ranges);
        }
    }

    /** What a pool that nodes share tells at the end of its transactions; in pieces, like a store. */
    record FinalPool(long atNanos, String source, List<PoolRecord> records) implements Event {
        public FinalPool {
            records = List.copyOf(records);
        }
    }

    /** The rows that a node's database holds at the end, in pieces, like a store. */
    record FinalRows(long atNanos, String source, List<String> rows) implements Event {
        public FinalRows {
            rows = List.copyOf(rows);
        }
    }

    /**
     * The last event of a run that was not killed.
     *
     * @param complete whether the run did all that it set out to do; if not, it cannot be a PASS
     */
    record Ended(long atNanos, boolean complete, String why) implements Event {}
}
