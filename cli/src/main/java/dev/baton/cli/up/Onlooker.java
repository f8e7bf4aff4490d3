package dev.baton.cli.up;

import java.time.Duration;
import java.util.function.Predicate;

/** Watches from outside, as any client could, what comes of a cluster's work. It believes nobody. Thread-safe. */
interface Onlooker extends AutoCloseable {

    void start(Reporter reporter);

    Tally tally();

    /** Looks for nothing new any more, and waits, but not long, until every node that is up was compared with the others. */
    void conclude(Predicate<String> isUp, Duration patience) throws InterruptedException;

    @Override
    void close();
}
