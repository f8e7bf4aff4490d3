package dev.baton.control.access;

import java.util.Arrays;
import java.util.Optional;

/** What can be asked, as a policy file names it. */
public enum Call {
    HEALTH("Health"),
    STATUS("Status"),
    START("StartSequencer"),
    STOP("StopSequencer"),
    /** A stop that does not wait for the entry under way. */
    FORCE("StopSequencer.force"),
    PREPARE("PrepareHandoff"),
    COMPLETE("CompleteHandoff"),
    AUDIT("Audit"),
    BREAK("Break"),
    MEND("Mend");

    private final String word;

    Call(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    static Optional<Call> of(String word) {
        return Arrays.stream(values()).filter(call -> call.word.equals(word)).findFirst();
    }
}
