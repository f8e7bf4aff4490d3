package dev.baton.process;

import java.time.Duration;
import java.util.List;

/** One way to stop a workload, and how long to wait for its effect before the next is tried. */
public sealed interface Rung {

    String name();

    Duration timeout();

    /** A signal to the processes that started the others, such as {@code TERM}. */
    record Signal(String name, String signal, Duration timeout) implements Rung {}

    /** The end of every process, without asking: again and again, because they may start others until they are gone. */
    record Kill(String name, Duration timeout) implements Rung {}

    /** A command of the user's: to stop the workload its own way, to cut the network, to power the machine off. */
    record Command(String name, List<String> command, Duration timeout) implements Rung {
        public Command {
            command = List.copyOf(command);
        }
    }
}
