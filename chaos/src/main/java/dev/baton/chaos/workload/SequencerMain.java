package dev.baton.chaos.workload;

import dev.baton.duty.remote.peer.PeerSequencer;
import dev.baton.duty.remote.peer.PeerSettings;
import dev.baton.node.BuildInfo;
import dev.baton.node.Logs;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig.LogConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** What {@code baton sequencer} runs, without its command line, which is built on top of this harness. */
public final class SequencerMain {

    private SequencerMain() {}

    /** Arguments: the key's file, where to listen, whom to follow (commas between), milliseconds a block, the folder. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Logs.configure(new LogConfig(LogConfig.Format.JSON, "INFO"));
        HostPort listen = HostPort.parse(arguments[1]);
        PeerSequencer sequencer = PeerSequencer.start(
                new PeerSettings(
                        new InetSocketAddress(listen.host(), listen.port()),
                        Optional.empty(),
                        Path.of(arguments[4]),
                        Duration.ofMillis(Long.parseLong(arguments[3])),
                        Optional.of(Path.of(arguments[0])),
                        List.of(arguments[2].split(",", -1)),
                        false,
                        Optional.empty()),
                BuildInfo.version());
        Runtime.getRuntime().addShutdownHook(new Thread(sequencer::close, "stop"));
        new CountDownLatch(1).await(); // until the process is told to end
    }
}
