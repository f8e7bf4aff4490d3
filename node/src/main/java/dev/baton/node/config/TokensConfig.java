package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import dev.baton.duty.tokens.TokenSettings;
import dev.baton.duty.tokens.rpc.TokenListener;
import dev.baton.seat.LedgerLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What only a seat of tokens has.
 *
 * @param listen where tokens are handed out; a port of 0 means any free one
 * @param advertise the host under which clients reach that listener; the node's own if absent
 */
public record TokensConfig(
        HostPort listen, Optional<String> advertise, TokenSettings settings, TokenListener.Settings connections) {

    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 50_051);

    /** How long a silent holder keeps the seat, as the published design has it. */
    public static final Duration DEFAULT_TAKEOVER = Duration.ofSeconds(10);

    /** No shorter one has an effect: the transport takes it for this. */
    static final Duration SHORTEST_KEEPALIVE = Duration.ofSeconds(10);

    /** A checkpoint takes some entries to write, and the one before must not be trimmed until it is complete. */
    private static final int CHECKPOINTS_KEPT = 2;

    static final TokensConfig DEFAULT =
            new TokensConfig(DEFAULT_LISTEN, Optional.empty(), TokenSettings.DEFAULT, TokenListener.Settings.DEFAULT);

    static TokensConfig read(Section seat) {
        TokenSettings settings = TokenSettings.DEFAULT;
        TokenListener.Settings connections = TokenListener.Settings.DEFAULT;
        try (Section tokens = seat.section("tokens")) {
            return new TokensConfig(
                    tokens.address("listen", DEFAULT_LISTEN),
                    tokens.optional("advertise", "a host name or address", ConfigReader::host),
                    new TokenSettings(
                            tokens.truth("create-on-first-use", settings.createOnFirstUse()),
                            tokens.whole("max-count", 1, Long.MAX_VALUE, settings.maxCount()),
                            whole(tokens, "max-namespaces", settings.maxNamespaces()),
                            whole(tokens, "max-waiting", settings.maxWaiting()),
                            whole(tokens, "max-batch", settings.maxBatch()),
                            tokens.whole("leased-ahead", 1, Long.MAX_VALUE, settings.leasedAhead()),
                            whole(tokens, "window", settings.window()),
                            whole(tokens, "checkpoint-every", settings.checkpointEvery()),
                            region(tokens)),
                    new TokenListener.Settings(
                            whole(tokens, "max-streams", connections.maxStreams()),
                            tokens.duration("keepalive-time", connections.keepAliveTime()),
                            tokens.duration("keepalive-timeout", connections.keepAliveTimeout())));
        }
    }

    private static int whole(Section tokens, String key, int otherwise) {
        return (int) tokens.whole(key, 1, Integer.MAX_VALUE, otherwise);
    }

    private static Optional<TokenSettings.Region> region(Section tokens) {
        try (Section region = tokens.section("region")) {
            if (!region.isPresent()) {
                return Optional.empty();
            }
            return Optional.of(new TokenSettings.Region(
                    region.required("index", "which region this is, from 0 on", Integer::parseInt, 0),
                    region.required("of", "how many regions there are", Integer::parseInt, 1)));
        }
    }

    List<Fault> faults(String prefix, LedgerLimits keep) {
        List<Fault> faults = new ArrayList<>(settings.faults(prefix));
        if (settings.maxBatch() > settings.maxWaiting()) {
            faults.add(new Fault(
                    prefix + "max-batch",
                    Integer.toString(settings.maxBatch()),
                    "at most max-waiting " + settings.maxWaiting() + ", because no more requests ever wait"));
        }
        int most = keep.entries() / CHECKPOINTS_KEPT;
        if (settings.checkpointEvery() > most) {
            faults.add(new Fault(
                    prefix + "checkpoint-every",
                    Integer.toString(settings.checkpointEvery()),
                    "at most " + most + ", half of keep.entries, so that a node that starts finds a whole checkpoint"));
        }
        if (connections.keepAliveTime().compareTo(SHORTEST_KEEPALIVE) < 0) {
            faults.add(new Fault(
                    prefix + "keepalive-time",
                    Durations.show(connections.keepAliveTime()),
                    Durations.show(SHORTEST_KEEPALIVE) + " or longer"));
        }
        if (connections.keepAliveTimeout().compareTo(Duration.ofMillis(100)) < 0) {
            faults.add(new Fault(
                    prefix + "keepalive-timeout", Durations.show(connections.keepAliveTimeout()), "100ms or longer"));
        }
        return faults;
    }

    /** What must be the same on all nodes, because any of them may decide by it next. */
    Map<String, String> agreed() {
        return Map.of(
                "tokens.create-on-first-use", Boolean.toString(settings.createOnFirstUse()),
                "tokens.max-count", Long.toString(settings.maxCount()),
                "tokens.max-namespaces", Integer.toString(settings.maxNamespaces()),
                "tokens.window", Integer.toString(settings.window()),
                "tokens.checkpoint-every", Integer.toString(settings.checkpointEvery()),
                "tokens.region",
                        settings.region()
                                .map(region -> region.index() + " of " + region.of())
                                .orElse("none"));
    }
}
