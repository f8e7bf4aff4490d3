package dev.baton.node;

import dev.baton.seat.JoinedSeat;

/** What a node's process ends with; the one place where these numbers are given out. */
public enum ExitCode {
    /** It did what it was asked to, and stopped when told to. */
    OK(0),
    /** The command line was wrong. */
    USAGE(2),
    /** The configuration was refused; every fault was printed. */
    CONFIGURATION(64),
    /** The data folder belongs to someone else, is in use, or was written by a newer version. */
    DATA_FOLDER(65),
    /** A port is taken by another process. */
    PORT_IN_USE(66),
    /** A peer is configured differently where all nodes must agree. */
    DISAGREEMENT(67),
    /** The engine could not be started or reached. */
    ENGINE(68),
    /** Something broke that no message foresees. */
    DEFECT(69),
    /** A term ran out and its duty could not be stopped, so the process was halted. */
    CANNOT_STOP(JoinedSeat.EXIT_CANNOT_STOP);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
