package dev.baton.node;

import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/** A process with a node that cannot reach its engine: it serves its peers, but never holds a seat by itself. */
final class SeatlessNode {

    /** Printed when it is up and would end in order. */
    static final String READY = "ready to be watched";

    private SeatlessNode() {}

    public static void main(String[] args) throws Exception {
        NodeConfig config = ConfigReader.read(Path.of(args[0]));
        MemoryAuthority nowhere = new MemoryEngine(Duration.ofMinutes(1)).connect(config.node());
        nowhere.cut();
        Node node = Node.start(
                config,
                new Wiring(
                        (same, folder) -> Engine.of(nowhere),
                        Duties::make,
                        InstantSource.system(),
                        why -> Runtime.getRuntime().halt(1)));
        Runtime.getRuntime().addShutdownHook(new Thread(node::close, "shutdown"));
        System.out.println(READY);
        new CountDownLatch(1).await();
    }
}
