package dev.baton.node.metrics;

import dev.baton.control.rpc.ControlPlane;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.standing.Standing;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.duty.remote.RemoteDuty;
import dev.baton.duty.tokens.Tokens;
import dev.baton.node.EngineNodes;
import dev.baton.node.EngineRoom;
import dev.baton.node.ServedDuty;
import dev.baton.node.evidence.EvidenceCounts;
import dev.baton.process.FencingCount;
import dev.baton.seat.SeatStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Everything that the node measures, as Prometheus reads it.
 *
 * <p>The names without {@code baton_} in front are those of the published design, spelled as there. Names and ids are
 * labels of gauges that are 1.
 */
public final class NodeMetrics implements AutoCloseable {

    private static final String SEAT = "seat";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final LongSupplier nanoClock;
    private final LongSupplier wallMillis;
    private final List<Watched> seats = new CopyOnWriteArrayList<>();
    private final List<TokenMetrics> tokens = new CopyOnWriteArrayList<>();
    private final List<RoomMetrics> rooms = new CopyOnWriteArrayList<>();
    private final MultiGauge leaders;
    private final MultiGauge owners;
    private final MultiGauge standings;
    private final boolean raft;

    /** A seat, and where its numbers come from. */
    private record Watched(
            String seat, SeatMetrics metrics, Supplier<SeatStatus> status, Supplier<ServedDuty.Figures> figures) {}

    /** What is measured of the other nodes. */
    public record Peers(IntSupplier present, IntSupplier missing, LongSupplier clockDifferenceMillis) {}

    public NodeMetrics(
            String authority, Peers peers, CallMeter calls, LongSupplier nanoClock, LongSupplier wallMillis) {
        this.raft = authority.equals("raft");
        this.nanoClock = nanoClock;
        this.wallMillis = wallMillis;
        leaders = rows("leader_id", "1 for the node that holds the seat, as far as this node knows");
        owners = rows("lease_owner", "1 for the node that has the seat's lease, as far as this node knows");
        standings = rows("baton_standing", "1 for the standing that this node has");
        Gauge.builder("peer_count", peers, of -> of.present().getAsInt())
                .description("Other nodes that announced themselves within the last seconds")
                .strongReference(true)
                .register(registry);
        Gauge.builder("baton_peers_missing", peers, of -> of.missing().getAsInt())
                .description("Configured peers that have not announced themselves within the last seconds")
                .strongReference(true)
                .register(registry);
        Gauge.builder(
                        "baton_clock_difference_seconds",
                        peers,
                        of -> of.clockDifferenceMillis().getAsLong() / 1000.0)
                .description("The largest difference between the wall clocks of this node and a peer")
                .strongReference(true)
                .register(registry);
        Gauge.builder("rpc_error_rate", calls, CallMeter::errorRate)
                .description("Share of the calls of the last minute, answered or made, that failed (0 to 1)")
                .strongReference(true)
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        gc.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    private MultiGauge rows(String name, String help) {
        return MultiGauge.builder(name).description(help).register(registry);
    }

    /** The observer that counts for a seat; hand it to the driver. */
    public SeatMetrics observe(String seat) {
        return new SeatMetrics(registry, seat, nanoClock);
    }

    /**
     * Adds the gauges of a seat that was joined.
     *
     * @param mayLead whether the node is there to lead at all: of one that is not, readiness says nothing
     */
    public void add(
            String seat,
            SeatMetrics metrics,
            Supplier<SeatStatus> status,
            Supplier<ServedDuty.Figures> figures,
            boolean mayLead) {
        Watched watched = new Watched(seat, metrics, status, figures);
        seats.add(watched);
        published(watched);
        own(watched);
        if (mayLead) {
            gauge(
                    watched,
                    "baton_ready",
                    "1 if this node could lead",
                    now -> now.status().get().readiness().isReady() ? 1 : 0);
        }
    }

    /** Adds how often the holder of a seat must show that it works: what is late is late by that. */
    public void pulseInterval(String seat, Duration interval) {
        Gauge.builder("baton_pulse_interval_seconds", interval, it -> it.toNanos() / 1e9)
                .description("How often the holder commits something if all is well")
                .tags(Tags.of(SEAT, seat))
                .strongReference(true)
                .register(registry);
    }

    /** Adds how the servers are on which an engine keeps this seat. The caller closes what is returned. */
    public EngineHealth add(EngineNodes nodes, SeatId seat) {
        EngineHealth health = new EngineHealth(nodes, seat);
        Tags tags = Tags.of(SEAT, seat.seat().value());
        Gauge.builder("baton_engine_nodes_voting", health, EngineHealth::voting)
                .description("Servers of the engine that can vote on this seat, as this node sees them")
                .tags(tags)
                .register(registry);
        Gauge.builder("baton_engine_nodes_in_trouble", health, EngineHealth::troubled)
                .description("Servers of the engine that cannot vote: out of reach, or blank after a restart")
                .tags(tags)
                .register(registry);
        return health;
    }

    /** Adds how full the servers of the engine are. The caller closes what is returned. */
    public RoomMetrics add(EngineRoom room) {
        RoomMetrics asked = new RoomMetrics(registry, room);
        rooms.add(asked);
        return asked;
    }

    /** Adds what came of the connections to holders that closed. */
    public void add(EvidenceCounts evidence) {
        Gauge.builder("baton_holders_attended", evidence, EvidenceCounts::attendedNow)
                .description("Processes of holders whose end this node would notice at once, by their connection")
                .register(registry);
        FunctionCounter.builder("baton_evidence_found", evidence, EvidenceCounts::found)
                .description("Processes of holders that were found gone: connection closed, new one refused or answered"
                        + " by a new incarnation")
                .register(registry);
        FunctionCounter.builder("baton_evidence_dismissed", evidence, EvidenceCounts::dismissed)
                .description("Connections to holders that closed without evidence, or whose evidence did not last")
                .register(registry);
    }

    /** Adds what the control plane counts. */
    public void add(Supplier<ControlPlane.Figures> control) {
        FunctionCounter.builder(
                        "baton_control_denied", control, now -> now.get().denied())
                .description("Calls to the control listener that were refused for want of a right")
                .register(registry);
        steering(
                control,
                "baton_break_glass_active",
                "1 while the glass is broken on this node",
                now -> now.glassBroken() ? 1 : 0);
        steering(
                control,
                "baton_break_glass_until",
                "When the broken glass mends itself, in seconds of Unix time; 0 if it is whole",
                now -> now.glassUntilMillis() / 1000.0);
        steering(
                control,
                "baton_audit_records",
                "Records in the audit, as far as this node has followed it",
                now -> now.records());
        steering(
                control,
                "baton_audit_waiting",
                "Records of this node that have not reached the audit's ledger yet",
                now -> now.waiting());
        steering(
                control,
                "baton_audit_broken",
                "1 if this node's book does not fit the audit's ledger",
                now -> now.chainBroken() ? 1 : 0);
    }

    private void steering(
            Supplier<ControlPlane.Figures> control,
            String name,
            String help,
            ToDoubleFunction<ControlPlane.Figures> value) {
        Gauge.builder(name, control, now -> value.applyAsDouble(now.get()))
                .description(help)
                .strongReference(true)
                .register(registry);
    }

    /**
     * Adds what a seat of tokens counts; hand the result to whoever answers the calls.
     *
     * @param streams how many streams of tokens are open now
     */
    public TokenMetrics add(String seat, Tokens handedOut, IntSupplier streams) {
        TokenMetrics counted = new TokenMetrics(registry, seat, handedOut, streams);
        tokens.add(counted);
        return counted;
    }

    /** Adds what a seat of a mempool counts and times. */
    public MempoolMetrics addMempool(String seat, Mempool pool, MempoolMetrics.Sink timings) {
        return new MempoolMetrics(registry, seat, pool, timings);
    }

    /** Adds what a seat with a sequencer of another process counts. */
    public void add(String seat, RemoteDuty remote) {
        RemoteMetrics.register(registry, seat, remote);
    }

    /** Adds what a seat with a database counts. */
    public void add(String seat, PostgresDuty postgres) {
        PostgresMetrics.register(registry, seat, postgres);
        add(seat, postgres.count());
    }

    /** Adds what a seat counts whose holder is fenced by stopping a process. */
    public void add(String seat, FencingCount fencing) {
        FencingMetrics.register(registry, seat, fencing);
    }

    private void published(Watched seat) {
        if (raft) {
            gauge(seat, "raft_term", "The Raft term in which the seat is held", this::epoch);
        }
        gauge(seat, "leader_election_epoch", "The epoch of the term in force, 0 if nobody holds the seat", this::epoch);
        gauge(
                seat,
                "unsafe_head_advance",
                "Entries by which the head (the unsafe head) has advanced since this node started",
                watched -> watched.metrics().headAdvances());
        gauge(
                seat,
                "da_publish_latency",
                "Seconds that publishing blocks to the data-availability layer took last",
                watched -> seconds(watched.figures().get().lastPublishTook()));
        gauge(
                seat,
                "backlog",
                "Blocks that are committed but not yet published to the data-availability layer",
                watched -> watched.figures().get().backlog());
        gauge(
                seat,
                "leader_election_leader_last_seen_ts",
                "When the holder was last seen to work, in seconds of Unix time on this node's clock",
                watched -> wallMillis.getAsLong() / 1000.0
                        - seconds(nanoClock.getAsLong() - watched.status().get().headSeenNanos()));
        gauge(
                seat,
                "leader_election_leader_uptime_ms",
                "How long this node has known the term in force, in milliseconds; 0 if nobody holds the seat",
                this::uptimeMillis);
    }

    private void own(Watched seat) {
        gauge(
                seat,
                "baton_height",
                "Height of the last committed entry that this node knows of",
                watched -> watched.status().get().head().height().value());
        gauge(
                seat,
                "baton_applied_height",
                "Height up to which this node's duty has taken in the ledger",
                watched -> watched.status().get().applied().value());
        gauge(
                seat,
                "baton_safe_height",
                "Height of the last block that is published to the data-availability layer",
                watched -> watched.figures().get().safeHeight().value());
        gauge(
                seat,
                "baton_pool",
                "Transactions that wait for a block",
                watched -> watched.figures().get().pool());
        gauge(
                seat,
                "baton_last_commit_age",
                "Seconds since this node learnt of the last commit",
                watched -> seconds(watched.metrics().sinceLastCommit()));
    }

    private void gauge(Watched seat, String name, String help, ToDoubleFunction<Watched> value) {
        Gauge.builder(name, seat, value)
                .description(help)
                .strongReference(true)
                .tags(Tags.of(SEAT, seat.seat()))
                .register(registry);
    }

    private static double seconds(Duration time) {
        return seconds(time.toNanos());
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }

    private double epoch(Watched seat) {
        return seat.status()
                .get()
                .currentHolder()
                .map(holder -> holder.term().epoch().value())
                .orElse(0L);
    }

    private double uptimeMillis(Watched seat) {
        return seat.status()
                .get()
                .currentHolder()
                .flatMap(holder -> seat.metrics().inForceFor(holder.term()))
                .map(Duration::toMillis)
                .orElse(0L);
    }

    /** The text that Prometheus reads. */
    public synchronized String scrape() {
        List<MultiGauge.Row<?>> holders = new ArrayList<>();
        List<MultiGauge.Row<?>> places = new ArrayList<>();
        for (Watched seat : seats) {
            SeatStatus status = seat.status().get();
            status.currentHolder().ifPresent(by -> holders.add(row(seat.seat(), by)));
            for (Standing.Name name : Standing.Name.values()) {
                places.add(MultiGauge.Row.of(
                        Tags.of(SEAT, seat.seat(), "standing", name.name()),
                        status.standing().name() == name ? 1 : 0));
            }
        }
        tokens.forEach(TokenMetrics::refresh);
        rooms.forEach(RoomMetrics::refresh);
        leaders.register(holders, true);
        if (!raft) {
            owners.register(holders, true);
        }
        standings.register(places, true);
        return registry.scrape();
    }

    private static MultiGauge.Row<Number> row(String seat, Seating by) {
        return MultiGauge.Row.of(Tags.of(SEAT, seat, "node", by.term().node().value()), 1);
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
