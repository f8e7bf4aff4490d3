package dev.baton.chaos.checker;

import java.util.Locale;

/** What must hold in every run, whatever was done to the cluster. */
public enum Rule {
    ONE_BLOCK("one committed block per height, across every store, reader and client"),
    ONE_PRODUCER("one epoch per height, and one producer per epoch"),
    PARENTS("every block rests on the one before it, and no store has a hole"),
    ACKNOWLEDGED("no acknowledged transaction is missing, and no token that was given out"),
    ONCE("no transaction is in the chain twice, or acknowledged at two places"),
    TRUE_ANSWER("what an answer says is true: the transaction is at that height and index, the range is one"),
    ONE_END("every transaction that a pool took has come to one end, once, and a final one is in the chain"),
    REFUSED("what was refused did not happen"),
    HIGHEST_EPOCH("no effect of an epoch above one of a higher epoch"),
    ONE_PRIMARY("one writable database at a time: one per timeline, and none of an older one"),
    UNIQUE_TOKENS("no token is issued twice"),
    REAL_TIME("what was asked for after another's answer comes after it"),
    REVISION("a caller's revision never decreases"),
    AGREEMENT("at the end every store and every engine server holds the same, up to date"),
    RECOVERY("work goes on soon after the last fault"),
    PROGRESS("enough work gets done under faults");

    private final String promise;

    Rule(String promise) {
        this.promise = promise;
    }

    /** The rule in words. */
    public String promise() {
        return promise;
    }

    /** The name in reports and JSON: {@code one-block}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
