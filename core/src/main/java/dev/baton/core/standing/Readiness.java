package dev.baton.core.standing;

/** Whether the duty could lead now: rebuilt from the ledger's beginning or a checkpoint, in sync, and healthy. */
public sealed interface Readiness {

    record Ready() implements Readiness {}

    record NotReady(String why) implements Readiness {}

    default boolean isReady() {
        return this instanceof Ready;
    }
}
