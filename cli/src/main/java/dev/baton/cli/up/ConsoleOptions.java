package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.console.UpConsole;
import java.io.File;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** How the console of an {@code up} is reached. */
final class ConsoleOptions {

    private static final int LAST_PORT = 65_535;

    /** Shows an address to whoever sits at this machine. */
    interface Opener {
        void open(String url) throws IOException;
    }

    private final Opener opener;

    @Option(
            names = "--console-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Where the console is, on the loopback address (default: 0, any free port).")
    private int port;

    @Option(names = "--open", description = "Open the console in a browser.")
    private boolean open;

    ConsoleOptions() {
        this(ConsoleOptions::inBrowser);
    }

    ConsoleOptions(Opener opener) {
        this.opener = opener;
    }

    int port() {
        return port;
    }

    void check() throws CliFailure {
        if (port < 0 || port > LAST_PORT) {
            throw new CliFailure(
                    Exit.USAGE, "--console-port: " + port + " (expected: 0 to " + LAST_PORT + "; 0 is any free port)");
        }
    }

    /** The token is never part of the address: addresses end up in histories and logs. */
    void show(UpConsole console, Consumer<String> told) {
        told.accept("console: " + console.url() + "  token for its actions: " + console.token());
        if (open) {
            try {
                opener.open(console.url());
            } catch (IOException e) {
                told.accept("no browser was opened, because xdg-open does not run: open the address yourself");
            }
        }
    }

    private static void inBrowser(String url) throws IOException {
        new ProcessBuilder("xdg-open", url)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
