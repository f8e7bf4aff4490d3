package dev.baton.duty.process;

import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import dev.baton.process.Ladder;
import dev.baton.process.Rung;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a process is run.
 *
 * @param start runs in the foreground for as long as the process works
 * @param stop asks it politely to end; a signal alone if absent
 * @param probe ends with status 0 if the process works; run at each pulse
 * @param promote makes a process that runs on every node the active one; without it the process runs under the seat only
 * @param hooks what else to try when killing does not help, such as cutting the network off
 * @param rungTimeout how long to wait for the effect of each way of stopping it
 * @param folder what the process and its watchdog write; this node's alone
 */
public record ProcessSettings(
        List<String> start,
        Optional<List<String>> stop,
        Optional<List<String>> probe,
        Optional<List<String>> promote,
        List<List<String>> hooks,
        Duration rungTimeout,
        Path folder) {

    public ProcessSettings {
        start = List.copyOf(start);
        hooks = List.copyOf(hooks);
    }

    /** From asking politely to the last hook. */
    public Ladder ladder() {
        List<Rung> rungs = new ArrayList<>();
        stop.ifPresent(command -> rungs.add(new Rung.Command("stop command", command, rungTimeout)));
        rungs.add(new Rung.Signal("polite signal", "TERM", rungTimeout));
        rungs.add(new Rung.Kill("kill", rungTimeout));
        for (int i = 0; i < hooks.size(); i++) {
            rungs.add(new Rung.Command("hook " + (i + 1), hooks.get(i), rungTimeout));
        }
        return new Ladder(rungs);
    }

    public List<Fault> faults(String prefix, SeatTimings timings) {
        List<Fault> faults = new ArrayList<>();
        if (start.isEmpty()) {
            faults.add(new Fault(prefix + "process.start", "missing", "the command that runs the process"));
        }
        if (timings.stop().compareTo(ladder().longest()) < 0) {
            faults.add(new Fault(
                    prefix + "takeover.stop",
                    timings.stop().toString(),
                    ladder().longest() + " or longer, because that is what stopping the process may take"));
        }
        return faults;
    }
}
