package dev.baton.cli.command;

import dev.baton.process.WatchdogMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The process that stops a workload when its node cannot. A node starts it by itself, without the command line. */
@Command(
        name = "watchdog",
        hidden = true,
        description = "Stops the processes that FILE names when the node at the other end of the pipe falls silent.")
public final class WatchdogCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "What a node wrote for its watchdog.")
    private Path file = Path.of("watchdog.txt");

    @Override
    public Integer call() throws IOException, InterruptedException {
        return WatchdogMain.run(file);
    }
}
