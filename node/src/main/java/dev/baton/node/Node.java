package dev.baton.node;

import dev.baton.control.rpc.ControlPlane;
import dev.baton.core.Holder;
import dev.baton.core.SeatId;
import dev.baton.duty.Duty;
import dev.baton.node.config.Agreement;
import dev.baton.node.config.AuthorityConfig;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.evidence.Attendants;
import dev.baton.node.evidence.HolderWatch;
import dev.baton.node.evidence.WatchedSeat;
import dev.baton.node.http.HttpListener;
import dev.baton.node.http.NodePages;
import dev.baton.node.metrics.CallMeter;
import dev.baton.node.metrics.NodeMetrics;
import dev.baton.node.metrics.SeatMetrics;
import dev.baton.node.presence.Announcer;
import dev.baton.node.presence.BoardPresence;
import dev.baton.node.presence.Handoffs;
import dev.baton.node.presence.Introductions;
import dev.baton.node.presence.NodeEndpoint;
import dev.baton.node.presence.NodePresence;
import dev.baton.node.presence.PeerChannels;
import dev.baton.node.presence.PeerTable;
import dev.baton.node.switchover.Moves;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import dev.baton.seat.SeatStatus;
import io.grpc.BindableService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node: it stands for its seats, tells its peers that it is there, and answers questions.
 *
 * <p>It is started whole or not at all, and closed once.
 */
public final class Node implements NodeView, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private final NodeConfig config;
    private final Wiring wiring;
    private final Holder self;
    private final long startedAtMillis = System.currentTimeMillis();
    private final Shutdown shutdown = new Shutdown();
    private final List<ServedSeat> seats = new CopyOnWriteArrayList<>();
    private final PeerTable peers;
    private final CallMeter calls = new CallMeter(System::nanoTime);
    private final Introductions introductions;
    private final Agreement agreement;
    private final String keyFingerprint;
    private volatile boolean stopping;
    private @Nullable NodeMetrics metrics;
    private @Nullable Handoffs handoffs;
    private @Nullable Engine engine;
    private @Nullable BoardPresence board;
    private @Nullable GrpcListener grpc;
    private @Nullable HttpListener http;
    private @Nullable HttpListener admin;
    private Steerage steerage = Steerage.NONE;

    /**
     * A duty that waits for its seat to be joined.
     *
     * @param works the same, with what this node remembers of the ledger in front of it
     */
    private record Prepared(SeatId id, SeatConfig config, ServedDuty duty, Duty works) {}

    private Node(NodeConfig config, Wiring wiring) {
        this.config = config;
        this.wiring = wiring;
        this.self = Seat.newHolder(config.node());
        this.peers = new PeerTable(config.node(), System::nanoTime);
        this.agreement = Agreement.of(config);
        this.keyFingerprint = Steerage.keyFingerprint(config).orElse("");
        this.introductions = new Introductions(config.node(), agreement, this::presence, peers, wiring.clock());
    }

    /** Starts a node; if it cannot, nothing of it is left behind. */
    public static Node start(NodeConfig config) throws NodeFailure {
        return start(config, Wiring.STANDARD);
    }

    public static Node start(NodeConfig config, Wiring wiring) throws NodeFailure {
        if (!config.faults().isEmpty()) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION,
                    config.faults().stream().map(Object::toString).collect(Collectors.joining("\n")));
        }
        Node node = new Node(config, wiring);
        try {
            node.open();
            return node;
        } catch (NodeFailure | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private void open() throws NodeFailure {
        LOG.info("starting {}", config.describe().strip().replace("\n", "; "));
        DataFolder folder =
                shutdown.add(Shutdown.Stage.FOLDER, DataFolder.open(config.data(), config.cluster(), config.node()));
        NodeMetrics measured = shutdown.add(
                Shutdown.Stage.FOLDER,
                new NodeMetrics(
                        config.authority().kind(),
                        new NodeMetrics.Peers(peers::presentCount, this::missingPeers, peers::clockDifferenceMillis),
                        calls,
                        System::nanoTime,
                        System::currentTimeMillis));
        metrics = measured;
        PeerChannels channels = shutdown.add(Shutdown.Stage.DUTIES, openChannels());
        steerage = shutdown.add(Shutdown.Stage.SERVERS, Steerage.open(config, folder));
        handoffs = new Handoffs(config.node(), peers, channels, BuildInfo.version(), steerage.seals());

        List<Prepared> prepared = prepare(folder);
        listen(prepared, measured);
        Announcer announcer = shutdown.add(
                Shutdown.Stage.PRESENCE,
                new Announcer(introductions, channels, this::toldAddresses, calls, this::beat));
        agreeWithPeers(announcer);

        Engine opened = wiring.authorities().open(config, folder);
        engine = opened;
        shutdown.add(Shutdown.Stage.ENGINE, opened.authority());
        opened.room().ifPresent(room -> shutdown.add(Shutdown.Stage.PRESENCE, measured.add(room)));
        for (Prepared seat : prepared) {
            join(seat, opened, measured);
        }
        board = opened.board()
                .map(found -> new BoardPresence(config.node(), found, introductions))
                .orElse(null);
        steerage.listen(this, channels, measured);
        for (ServedSeat seat : seats) {
            seat.duty()
                    .postgres()
                    .ifPresent(duty -> shutdown.add(Shutdown.Stage.SEATS, new Moves(this, seat, duty))
                            .start());
        }
        announcer.start();
        if (opened.takesEvidence()) {
            watchHolders(channels, measured); // one with elections of its own would not listen
        }
        LOG.info("{} is up: grpc {}, http {}, admin {}", self, ownGrpcAddress(), ownHttpAddress(), adminAddress());
    }

    private PeerChannels openChannels() throws NodeFailure {
        try {
            return PeerChannels.open(config.tls());
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.CONFIGURATION, "tls: " + e + " (expected: PEM files that fit together)", e);
        }
    }

    private List<Prepared> prepare(DataFolder folder) throws NodeFailure {
        Map<SeatConfig, ServedDuty> duties = new LinkedHashMap<>();
        for (SeatConfig seat : config.seats()) {
            folder.enter(seat.name(), seat.era());
            duties.put(
                    seat,
                    seat.keepsAudit()
                            ? steerage.duty()
                            : shutdown.add(
                                    Shutdown.Stage.DUTIES,
                                    wiring.duties().make(seat.id(config.cluster()), seat, config, folder)));
        }
        for (ServedDuty duty : duties.values()) {
            duty.meet(List.copyOf(duties.values()));
        }
        MarkKeeper marks = shutdown.add(Shutdown.Stage.DUTIES, new MarkKeeper());
        List<Prepared> prepared = new ArrayList<>();
        for (Map.Entry<SeatConfig, ServedDuty> each : duties.entrySet()) {
            SeatConfig seat = each.getKey();
            SeatId id = seat.id(config.cluster());
            Duty duty = each.getValue().duty();
            prepared.add(new Prepared(
                    id,
                    seat,
                    each.getValue(),
                    remembers(each.getValue()) ? marks.keep(RememberingDuty.of(duty, id, folder.path())) : duty));
        }
        return prepared;
    }

    /** An engine in memory forgets all with its process, and is for tests. */
    private boolean remembers(ServedDuty duty) {
        return duty.knowsOnlyTheLedger() && !config.authority().kind().equals(AuthorityConfig.MEMORY);
    }

    private void listen(List<Prepared> prepared, NodeMetrics measured) throws NodeFailure {
        List<BindableService> services = new ArrayList<>();
        Attendants attendants = shutdown.add(Shutdown.Stage.PRESENCE, new Attendants(config.cluster(), self));
        services.add(new NodeEndpoint(config.node(), introductions, this::joined, attendants, steerage.seals()));
        prepared.forEach(seat -> services.addAll(seat.duty().services()));
        NodeConfig.Listen listen = config.listen();
        grpc = bind("listen.grpc", listen.grpc(), at -> GrpcListener.open(at, config.tls(), services, calls));
        http = bind("listen.http", listen.http(), at -> NodePages.open(at, this));
        admin = bind("listen.admin", listen.admin(), at -> NodePages.openAdmin(at, this, config.tls()));
        for (Prepared seat : prepared) {
            seat.duty().listen(measured);
        }
    }

    private interface Opener<T> {
        T open(HostPort address) throws IOException;
    }

    private <T extends AutoCloseable> T bind(String key, HostPort address, Opener<T> opener) throws NodeFailure {
        try {
            return shutdown.add(Shutdown.Stage.SERVERS, opener.open(address));
        } catch (IOException e) {
            throw NodeFailure.cannotListen(key, address, e);
        }
    }

    private Optional<JoinedSeat> joined(SeatId id) {
        return seats.stream()
                .filter(seat -> seat.status().seat().equals(id))
                .map(ServedSeat::joined)
                .findFirst();
    }

    /** A node whose configuration would endanger the others must not even ask for a seat. */
    private void agreeWithPeers(Announcer announcer) throws NodeFailure {
        List<String> differences = announcer.askAround();
        if (!differences.isEmpty()) {
            throw new NodeFailure(
                    ExitCode.DISAGREEMENT,
                    "configured differently from a peer that is running (expected: the same values on all nodes):\n  "
                            + String.join("\n  ", differences));
        }
    }

    private void join(Prepared seat, Engine opened, NodeMetrics measured) {
        String name = seat.config().name().value();
        SeatMetrics counted = measured.observe(name);
        RecentMilestones milestones = new RecentMilestones();
        StandingWatch standings = new StandingWatch();
        SeatNews news = new SeatNews();
        Followed followed = new Followed(wiring.clock());
        JoinedSeat joined = shutdown.add(
                Shutdown.Stage.SEATS,
                Seat.of(seat.id())
                        .contender(self)
                        .reachableAt(ownGrpcAddress())
                        .timings(seat.config().timings())
                        .keep(seat.config().keep())
                        .observedBy(new SeatObservers(List.of(counted, milestones, standings, news, new SeatLog(name))))
                        .onCannotStop(wiring.halt())
                        .join(
                                opened.authority(),
                                new GuardedDuty(
                                        new FollowedDuty(seat.works(), followed),
                                        () -> opened.objection()
                                                .get()
                                                .or(peers::objection)
                                                .or(() -> steerage.objection(seat.config(), seats)))));
        steerage.stopped(seat.config()).ifPresent(joined::pause);
        if (config.role() == NodeConfig.Role.OBSERVER) {
            config.neverLeads().ifPresent(joined::pause);
        }
        Growth growth = new Growth();
        seat.duty().chain().ifPresent(chain -> chain.onGrowth(growth::noted));
        Optional<History> history = seat.duty().chain().map(chain -> new History(chain::range));
        seats.add(new ServedSeat(
                seat.config(), seat.duty(), joined, growth, milestones, standings, news, history, followed));
        measured.add(
                name,
                counted,
                joined::status,
                seat.duty()::figures,
                config.neverLeads().isEmpty());
        measured.pulseInterval(name, seat.config().timings().interval());
        opened.nodes()
                .filter(EngineNodes::areCountedHere)
                .ifPresent(nodes -> shutdown.add(Shutdown.Stage.PRESENCE, measured.add(nodes, seat.id())));
    }

    private void watchHolders(PeerChannels channels, NodeMetrics measured) {
        List<WatchedSeat> watched = seats.stream()
                .filter(seat -> seat.config().evidence())
                .map(seat -> WatchedSeat.of(seat.joined()))
                .toList();
        HolderWatch watch = shutdown.add(
                Shutdown.Stage.PRESENCE, new HolderWatch(config.cluster(), config.node(), watched, channels::fresh));
        measured.add(watch.counts());
        watch.start();
    }

    /** The configured peers, whoever holds a seat, and whoever is on the engine's noticeboard. */
    private Set<String> toldAddresses() {
        Set<String> addresses = new LinkedHashSet<>();
        config.others().values().forEach(peer -> addresses.add(peer.grpc().toString()));
        for (ServedSeat seat : seats) {
            seat.status()
                    .currentHolder()
                    .filter(by ->
                            !by.term().holder().equals(self) && !by.address().isEmpty())
                    .ifPresent(by -> addresses.add(by.address()));
        }
        if (board != null) {
            addresses.addAll(board.addresses());
        }
        return addresses;
    }

    /** How many of the configured peers have not announced themselves lately. */
    private int missingPeers() {
        return (int) config.others().keySet().stream()
                .filter(peer -> peers.find(peer).filter(peers::isPresent).isEmpty())
                .count();
    }

    private NodePresence presence() {
        return new NodePresence(
                config.cluster().value(),
                config.node(),
                self.incarnation(),
                BuildInfo.version(),
                ownGrpcAddress(),
                ownHttpAddress(),
                agreement.digest(),
                steerage.address(),
                keyFingerprint,
                wiring.clock().millis(),
                seats.stream()
                        .map(seat -> NodePresence.AtSeat.of(seat.status()))
                        .toList());
    }

    private void beat() {
        if (board != null) {
            board.beat();
        }
        if (grpc != null) {
            boolean ready = !stopping
                    && seats.stream().allMatch(seat -> seat.status().readiness().isReady());
            grpc.serving(ready);
        }
        for (ServedSeat seat : seats) {
            SeatStatus status = seat.status();
            seat.duty().serving(!stopping && status.readiness().isReady(), !stopping && status.leads());
        }
    }

    @Override
    public NodeConfig config() {
        return config;
    }

    @Override
    public Holder self() {
        return self;
    }

    @Override
    public long startedAtMillis() {
        return startedAtMillis;
    }

    @Override
    public String authorityKind() {
        return engine == null ? config.authority().kind() : engine.authority().kind();
    }

    @Override
    public List<ServedSeat> seats() {
        return List.copyOf(seats);
    }

    @Override
    public PeerTable peers() {
        return peers;
    }

    @Override
    public Handoffs handoffs() {
        return Objects.requireNonNull(handoffs);
    }

    /** Why this node can do nothing any more until it is started anew; nothing while it can. */
    public Optional<String> broken() {
        return Optional.ofNullable(engine).flatMap(opened -> opened.broken().get());
    }

    @Override
    public Optional<Membership> membership() {
        return Optional.ofNullable(engine).flatMap(Engine::membership);
    }

    @Override
    public Optional<EngineNodes> engineNodes() {
        return Optional.ofNullable(engine).flatMap(Engine::nodes);
    }

    @Override
    public String metrics() {
        return Objects.requireNonNull(metrics).scrape();
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    /** Where others reach this node's gRPC server; with port 0 until it listens. */
    public String ownGrpcAddress() {
        return new HostPort(config.advertise(), grpc == null ? 0 : grpc.port()).toString();
    }

    @Override
    public String ownHttpAddress() {
        return new HostPort(
                        config.advertise(), http == null ? 0 : http.address().port())
                .toString();
    }

    public String adminAddress() {
        return admin == null ? "" : admin.address().toString();
    }

    @Override
    public String controlAddress() {
        return steerage.address();
    }

    @Override
    public Optional<ControlPlane> control() {
        return steerage.plane();
    }

    /** Resigns first, then puts everything away. Closing twice is harmless. */
    @Override
    public void close() {
        stopping = true;
        long begunNanos = System.nanoTime();
        shutdown.close();
        LOG.info("{} stopped in {} ms", self, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos));
    }
}
