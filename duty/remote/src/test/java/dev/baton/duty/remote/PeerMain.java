package dev.baton.duty.remote;

import dev.baton.duty.remote.peer.PeerSequencer;
import dev.baton.duty.remote.peer.PeerSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A sequencer in a process of its own, for tests that freeze or kill it. */
final class PeerMain {

    private PeerMain() {}

    /** Arguments: folder, key file, port, port for the OP Stack's API or 0, "active" or "idle", whom to follow. */
    public static void main(String[] arguments) throws Exception {
        int opStack = Integer.parseInt(arguments[3]);
        PeerSettings settings = new PeerSettings(
                new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[2])),
                opStack == 0 ? Optional.empty() : Optional.of(new InetSocketAddress("127.0.0.1", opStack)),
                Path.of(arguments[0]),
                Duration.ofMillis(50),
                Optional.of(Path.of(arguments[1])),
                List.of(arguments).subList(5, arguments.length),
                arguments[4].equals("active"),
                Optional.empty());
        try (PeerSequencer sequencer = PeerSequencer.start(settings, "test")) {
            System.out.println("listening at " + sequencer.address());
            var unused = System.in.read(); // until the test closes the pipe
        }
    }
}
