package dev.baton.node.config;

import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.remote.RemoteSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What only a seat with a sequencer of another process has.
 *
 * @param speaks the API by which it is steered
 * @param address where that is: host:port, or a URL for an OP Stack node
 * @param key the file with the cluster's key, with which lease tokens are sealed
 * @param tls what this node shows to the sequencer, and whom it believes
 * @param recordAfter one pulse interval if absent
 */
public record RemoteConfig(
        Api speaks,
        String address,
        Optional<Path> key,
        Optional<NodeConfig.Tls> tls,
        Duration timeout,
        Duration maxHeadAge,
        int minPeers,
        Optional<Duration> recordAfter,
        boolean begin,
        boolean unverifiedAncestry) {

    /** How to speak to a sequencer. */
    public enum Api {
        /** {@code evnode.admin.v1.ControlService}. */
        ADMIN("admin"),
        /** The JSON-RPC of an OP Stack node. */
        OP_STACK("op-stack");

        private final String word;

        Api(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    private static final String DEFAULT_ADDRESS = "127.0.0.1:7500";
    private static final int MOST_PEERS = 100_000;

    static RemoteConfig read(Section seat, Function<String, Path> readable) {
        try (Section remote = seat.section("remote")) {
            return new RemoteConfig(
                    remote.optional("api", "admin or op-stack", text -> switch (text) {
                                case "admin" -> Api.ADMIN;
                                case "op-stack" -> Api.OP_STACK;
                                default -> throw new IllegalArgumentException(text);
                            })
                            .orElse(Api.ADMIN),
                    remote.optional("address", "host:port, or http://host:port of an OP Stack node", text -> text)
                            .orElse(DEFAULT_ADDRESS),
                    remote.optional("key", "a file that can be read, with the cluster's key", readable),
                    tls(remote, readable),
                    remote.duration("timeout", RemoteSettings.DEFAULT_CALL_TIMEOUT),
                    remote.duration("max-head-age", RemoteSettings.DEFAULT_MAX_HEAD_AGE),
                    (int) remote.whole("min-peers", 0, MOST_PEERS, 0),
                    remote.optional("record-after", Durations.EXPECTED, Durations::parse),
                    remote.truth("begin", false),
                    remote.truth("unverified-ancestry", false));
        }
    }

    private static Optional<NodeConfig.Tls> tls(Section remote, Function<String, Path> readable) {
        try (Section tls = remote.section("tls")) {
            if (!tls.isPresent()) {
                return Optional.empty();
            }
            Path none = Path.of("");
            return Optional.of(new NodeConfig.Tls(
                    tls.required("certificate", "a PEM file that can be read", readable, none),
                    tls.required("key", "a PEM file (PKCS#8) that can be read", readable, none),
                    tls.required("trust", "a PEM file that can be read", readable, none)));
        }
    }

    /** What the duty is told. */
    public RemoteSettings settings(NodeId node, SeatTimings timings) {
        return new RemoteSettings(
                node, timeout, maxHeadAge, minPeers, recordAfter.orElse(timings.interval()), begin, unverifiedAncestry);
    }

    List<Fault> faults(String prefix, SeatTimings timings) {
        List<Fault> faults =
                new ArrayList<>(settings(new NodeId("unnamed"), timings).faults(prefix, timings));
        switch (speaks) {
            case ADMIN -> {
                if (key.isEmpty()) {
                    faults.add(new Fault(
                            prefix + "remote.key", "missing", "the file with the cluster's key, as baton certs makes"));
                }
                if (!isHostPort(address)) {
                    faults.add(new Fault(prefix + "remote.address", address, "host:port of the sequencer"));
                } else if (tls.isEmpty() && !HostPort.parse(address).isLoopback()) {
                    faults.add(new Fault(
                            prefix + "remote.tls",
                            "missing",
                            "certificate, key and trust, because " + address + " is not on this machine"));
                }
            }
            case OP_STACK -> {
                if (!isUrl(address)) {
                    faults.add(new Fault(prefix + "remote.address", address, "http://host:port of the node's RPC"));
                }
                if (key.isPresent() || tls.isPresent()) {
                    faults.add(new Fault(
                            prefix + "remote." + (key.isPresent() ? "key" : "tls"),
                            "given",
                            "nothing, because an OP Stack node's admin API has neither tokens nor certificates"));
                }
            }
        }
        return faults;
    }

    private static boolean isHostPort(String text) {
        try {
            return HostPort.parse(text).port() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = URI.create(text);
            return List.of("http", "https").contains(String.valueOf(uri.getScheme())) && uri.getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Nodes that speak to different kinds of sequencers cannot follow each other. */
    Map<String, String> agreed() {
        return Map.of("remote.api", speaks.word());
    }
}
