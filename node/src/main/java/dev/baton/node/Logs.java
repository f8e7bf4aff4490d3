package dev.baton.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.baton.authority.raft.RaftAuthority;
import dev.baton.node.config.NodeConfig.LogConfig;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Sets the process's log up: to standard output, for people or for machines. */
public final class Logs {

    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0} %msg%n%ex{8}";

    /** They tell at INFO what only their authors want to know. */
    private static final List<String> QUIET = List.of("io.grpc", "io.netty", "sun.net.httpserver");

    private Logs() {}

    public static void configure(LogConfig config) {
        // Some libraries speak through the JDK's own log, which would end up between our lines.
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return; // whoever embeds the node brought a log of its own
        }
        context.reset();
        ConsoleAppender<ILoggingEvent> out = new ConsoleAppender<>();
        out.setContext(context);
        out.setEncoder(encoder(config.format(), context));
        out.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(config.level(), Level.INFO));
        root.addAppender(out);
        QUIET.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        RaftAuthority.NOISY_LOGGERS.forEach(
                (name, level) -> context.getLogger(name).setLevel(Level.toLevel(level, Level.WARN)));
    }

    private static Encoder<ILoggingEvent> encoder(LogConfig.Format format, LoggerContext context) {
        return switch (format) {
            case TEXT -> {
                PatternLayoutEncoder text = new PatternLayoutEncoder();
                text.setContext(context);
                text.setPattern(PATTERN);
                text.start();
                yield text;
            }
            case JSON -> {
                JsonEncoder json = new JsonEncoder();
                json.setContext(context);
                json.setWithArguments(false);
                json.setWithFormattedMessage(true);
                json.setWithMessage(false);
                json.start();
                yield json;
            }
        };
    }
}
