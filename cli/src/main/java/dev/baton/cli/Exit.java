package dev.baton.cli;

import java.util.Arrays;
import java.util.Optional;

/** What {@code baton} ends with; the one place where these numbers are given out. From 64 on they are the node's. */
public enum Exit {
    OK(0, "It did what it was asked to."),
    FAILED(
            1,
            "It ran, and the verdict is bad: a fork, a gap, no block, a broken rule, a failed check; or the build failed."),
    USAGE(2, "The command line was wrong; nothing was done."),
    MISSING(3, "Something must be installed or built first, such as a JDK."),
    UNREACHABLE(4, "No cluster was found, or no node that could answer did."),
    REFUSED(5, "A node, or a check before the deed, refused; the message says why."),
    NOT_FOUND(6, "What was asked for does not exist, such as a block above the head."),
    UNDECIDED(
            7, "It ran and found nothing wrong, but too little happened, or could be judged, to say that nothing is."),
    CONFIGURATION(64, "A configuration was refused; every fault was printed."),
    DATA_FOLDER(65, "The data folder is in use, belongs to someone else, or was written by a newer version."),
    PORT_IN_USE(66, "A port is taken by another process."),
    DISAGREEMENT(67, "A node is configured differently from its peers where all must agree."),
    ENGINE(68, "The engine could not be started or reached."),
    DEFECT(69, "Something broke that no message foresees; run again with --verbose and report it."),
    CANNOT_STOP(70, "A term ran out and its duty could not be stopped, so the node halted.");

    private final int number;
    private final String meaning;

    Exit(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    /** The one with this number, if there is one. */
    public static Optional<Exit> numbered(int number) {
        return Arrays.stream(values()).filter(exit -> exit.number == number).findFirst();
    }

    public String meaning() {
        return meaning;
    }
}
