package dev.baton.node;

import dev.baton.node.config.AuthorityConfig;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of one node: reads its configuration, runs until it is told to stop, and says how it ended. */
public final class NodeMain {

    private static final Logger LOG = LoggerFactory.getLogger(NodeMain.class);

    private static final long BETWEEN_LOOKS_MILLIS = 500;

    private NodeMain() {}

    public static void main(String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("usage: " + NodeMain.class.getName() + " CONFIGURATION.yaml");
            System.exit(ExitCode.USAGE.number());
        }
        System.exit(run(Path.of(arguments[0]), false).number());
    }

    /**
     * Runs a node until the process is told to stop; returns at once if it cannot start.
     *
     * @param join whether to come into a running cluster if the engine's storage is empty, whatever the file says
     */
    public static ExitCode run(Path file, boolean join) {
        try {
            NodeConfig config = ConfigReader.read(file);
            return run(join ? config.withStart(AuthorityConfig.Start.JOIN) : config);
        } catch (ConfigException e) {
            System.err.println(e.getMessage());
            return ExitCode.CONFIGURATION;
        }
    }

    public static ExitCode run(NodeConfig config) {
        Logs.configure(config.log());
        // The engine's threads die with their log, and what they say of it is no message to whoever started the node.
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> LOG.error("thread {} died", thread.getName(), failure));
        AtomicReference<@Nullable Node> running = new AtomicReference<>();
        // The hook keeps the process alive until everything is put away; the seats come first. To have stopped when
        // told to is no failure, but a signal would make it look like one: hence the halt. A node that has not started
        // holds nothing that would have to be put away.
        Thread stop = Thread.ofPlatform().name("shutdown").unstarted(() -> {
            Node node = running.get();
            if (node != null) {
                node.close();
            }
            Runtime.getRuntime().halt(ExitCode.OK.number());
        });
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            Node node = Node.start(config);
            running.set(node);
            String broken = awaitBroken(node);
            Runtime.getRuntime().removeShutdownHook(stop);
            node.close();
            System.err.println("authority: " + broken + " (expected: a disk with room that can be written; mend it and"
                    + " start this node again, nothing that was acknowledged is lost)");
            return ExitCode.ENGINE;
        } catch (NodeFailure e) {
            Runtime.getRuntime().removeShutdownHook(stop);
            System.err.println(e.getMessage());
            return e.code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        } catch (RuntimeException e) {
            Runtime.getRuntime().removeShutdownHook(stop);
            System.err.println("the node broke: " + e);
            e.printStackTrace();
            return ExitCode.DEFECT;
        }
    }

    /** A node whose engine is gone would only look alive. */
    private static String awaitBroken(Node node) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Optional<String> broken = node.broken();
        while (broken.isEmpty()) {
            var unused = never.await(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
            broken = node.broken();
        }
        return broken.get();
    }
}
