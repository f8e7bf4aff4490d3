package dev.baton.authority.nats;

import dev.baton.authority.nats.seat.SeatNames;
import dev.baton.authority.nats.seat.StreamShape;
import dev.baton.authority.nats.wire.Connecting;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ServerInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is wrong with NATS, all of it at once, before anything starts. It only looks: nothing is written.
 *
 * @param faults what forbids a start
 * @param warnings what may start and should be known
 */
public record StartCheck(List<Fault> faults, List<String> warnings) {

    /** From the first missed heartbeat to a new leader, with the timeouts that are built into nats-server. */
    public static final Duration LONGEST_ELECTION = Duration.ofSeconds(10);

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final String OLDEST_VERSION = "2.9.0";

    /** Servers before that ping each other only when they have nothing else to say. */
    private static final String NOTICES_DUMB_ROUTES = "2.9.16";

    private static final int STREAM_NOT_FOUND = 10059;
    private static final int NOT_ENABLED_FOR_ACCOUNT = 10039;

    public StartCheck {
        faults = List.copyOf(faults);
        warnings = List.copyOf(warnings);
    }

    /** Blocks for a few seconds at most. */
    public static StartCheck of(NatsSettings settings, List<SeatId> seats, String prefix) {
        List<Fault> faults = settings.faults(prefix);
        return faults.isEmpty() ? new Judgement(settings, seats, prefix).run() : new StartCheck(faults, List.of());
    }

    /** Collects what the servers say. */
    private static final class Judgement {

        private final NatsSettings settings;
        private final List<SeatId> seats;
        private final String prefix;
        private final List<Fault> faults = new ArrayList<>();
        private final List<Fault> unreachable = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();
        private final Set<String> clusters = new TreeSet<>();
        private final Set<String> blindToDumbRoutes = new TreeSet<>();
        private boolean usable;

        Judgement(NatsSettings settings, List<SeatId> seats, String prefix) {
            this.settings = settings;
            this.seats = seats;
            this.prefix = prefix;
        }

        StartCheck run() {
            for (String server : settings.servers()) {
                try (Connection connection = Connecting.to(server, settings, (which, event) -> {})) {
                    server(prefix + "servers " + server, connection);
                } catch (AuthenticationException e) {
                    badLogin(server, Connecting.explain(e));
                } catch (IOException | IllegalStateException e) {
                    unreachable(server, Connecting.explain(e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    unreachable(server, "interrupted");
                }
            }
            return result();
        }

        private void server(String key, Connection connection) {
            ServerInfo info = connection.getServerInfo();
            clusters.add(info.getCluster() == null ? "" : info.getCluster());
            int before = faults.size();
            if (info.isOlderThanVersion(OLDEST_VERSION)) {
                faults.add(new Fault(key, "nats-server " + info.getVersion(), OLDEST_VERSION + " or later"));
            }
            if (!info.isJetStreamAvailable()) {
                faults.add(new Fault(
                        key,
                        "no JetStream",
                        "a server with JetStream: start nats-server with -js, or with a jetstream block in its"
                                + " configuration"));
            }
            if (info.getMaxPayload() < NatsSettings.MESSAGE_BYTES) {
                faults.add(new Fault(
                        key,
                        "max_payload: " + info.getMaxPayload(),
                        NatsSettings.MESSAGE_BYTES + " or more: set max_payload: 2MB in the configuration of every"
                                + " server"));
            }
            if (info.isOlderThanVersion(NOTICES_DUMB_ROUTES)) {
                blindToDumbRoutes.add(info.getVersion());
            }
            boolean single = info.getCluster() == null || info.getCluster().isEmpty();
            if (single && settings.servers().size() > 1) {
                faults.add(new Fault(
                        key,
                        "a single server, one of " + settings.servers().size() + " that are named",
                        "servers of one NATS cluster, or one server alone: each would keep seats of its own"));
            } else if (single && settings.replicas() > 1) {
                faults.add(new Fault(
                        key,
                        "a single server",
                        settings.replicas() + " servers in one NATS cluster, for " + prefix + "replicas: "
                                + settings.replicas() + "; or replicas: 1"));
            }
            if (faults.size() == before && !usable) {
                streams(key, connection);
            }
        }

        /** Asks JetStream itself: that needs a leader, a majority and the permission. */
        private void streams(String key, Connection connection) {
            try {
                JetStreamManagement streams = connection.jetStreamManagement(
                        JetStreamOptions.builder().requestTimeout(PATIENCE).build());
                streams.getAccountStatistics();
                for (SeatId seat : seats) {
                    stream(streams, seat);
                }
                usable = true;
            } catch (JetStreamApiException e) {
                faults.add(
                        e.getApiErrorCode() == NOT_ENABLED_FOR_ACCOUNT
                                ? new Fault(
                                        key,
                                        Connecting.explain(e),
                                        "an account with JetStream: add jetstream: enabled to it")
                                : new Fault(key, Connecting.explain(e), "a JetStream that answers"));
            } catch (IOException e) {
                unreachable.add(new Fault(
                        key,
                        "JetStream does not answer: " + Connecting.explain(e),
                        "a majority of running servers, and a user who may publish to $JS.API.> and baton.> and"
                                + " subscribe to _INBOX.> and baton.>"));
            }
        }

        private void stream(JetStreamManagement streams, SeatId seat) throws IOException, JetStreamApiException {
            try {
                StreamShape shape = new StreamShape(seat, settings.replicas());
                faults.addAll(shape.faults(
                        prefix,
                        streams.getStreamInfo(SeatNames.of(seat).stream()).getConfiguration()));
            } catch (JetStreamApiException e) {
                if (e.getApiErrorCode() != STREAM_NOT_FOUND) {
                    throw e;
                }
                taken(streams, seat);
            }
        }

        /** Before the first promotion there is no stream; but nobody else's may collect its subject. */
        private void taken(JetStreamManagement streams, SeatId seat) throws IOException, JetStreamApiException {
            String subject = SeatNames.of(seat).subject();
            for (String name : streams.getStreamNames(subject)) {
                faults.add(new Fault(
                        prefix + "servers: stream " + name,
                        "collects " + subject,
                        "subjects outside of baton.>: change that stream, or use another account"));
            }
        }

        private void badLogin(String server, String why) {
            faults.add(new Fault(
                    prefix + "servers " + server,
                    why,
                    "the " + prefix + "user and " + prefix + "password-file, or the " + prefix
                            + "credentials-file, that NATS accepts"));
        }

        private void unreachable(String server, String why) {
            unreachable.add(new Fault(prefix + "servers " + server, why, remedy(why.toLowerCase(Locale.ROOT))));
        }

        private String remedy(String why) {
            if (why.contains("authorization") || why.contains("authentication")) {
                return "the " + prefix + "user and " + prefix + "password-file, or the " + prefix
                        + "credentials-file, that NATS accepts";
            }
            if (settings.tls().isPresent() && why.contains("wanted by client")) {
                return "TLS on that port: give a tls block to nats-server, or leave out " + prefix + "tls";
            }
            if (settings.tls().isEmpty() && (why.contains("ssl") || why.contains("tls"))) {
                return "a server without TLS; since it speaks TLS, set " + prefix + "tls.trust";
            }
            if (settings.tls().isPresent() && !why.contains("refused")) {
                return "a certificate signed by " + prefix + "tls.trust that names this host, and " + prefix
                        + "tls.certificate with its key if NATS asks for one";
            }
            return "running servers: start this nats-server, or correct its address";
        }

        StartCheck result() {
            if (clusters.size() > 1) {
                faults.add(new Fault(
                        prefix + "servers",
                        "servers of different NATS clusters: " + clusters,
                        "servers of one cluster"));
            }
            if (usable) {
                unreachable.forEach(fault -> warnings.add(
                        fault.key() + " cannot be used: " + fault.value() + "; the other servers are enough"));
            } else {
                faults.addAll(unreachable);
            }
            if (settings.replicas() > 1 && settings.lease().compareTo(LONGEST_ELECTION) < 0) {
                warnings.add("a takeover delay of " + settings.lease() + " is shorter than an election of NATS, which"
                        + " takes 4 to 9 s: whenever a stream loses its leader, the seat's holder is fenced, and nobody"
                        + " can follow before NATS has elected (longer than " + LONGEST_ELECTION + " rides it out)");
            }
            if (settings.replicas() > 1 && !blindToDumbRoutes.isEmpty()) {
                warnings.add(
                        "nats-server " + String.join(", ", blindToDumbRoutes) + " does not notice that a connection"
                                + " to another server has gone dumb while it sends over it: JetStream may then be without a"
                                + " leader until a server is restarted (" + NOTICES_DUMB_ROUTES + " or later notices)");
            }
            return new StartCheck(faults, warnings);
        }
    }
}
