package dev.baton.authority.raft;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Bytes;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.util.ExitUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authority inside the nodes: a Raft group keeps all seats, and they follow its leader.
 *
 * <p>The holder's member is the Raft leader and the epoch is the Raft term. A seat is held, and appended to, only at
 * the leader's own node; a candidate elsewhere asks the leader to move the leadership to it first, which happens when
 * the seat is vacant and nobody there wants it, or on a ticket. A new epoch needs a new Raft term, so a seat that was
 * resigned takes along the other seats of its node when somebody asks for it.
 *
 * <p><em>Durable</em> means: written and flushed by a majority before it is acknowledged. <em>Disk:</em> a member keeps at
 * most two snapshots (each the size of the ledgers that are not trimmed), twice {@code snapshotBytes} of log and three
 * log segments ({@link #diskBound}). A snapshot holds up commits only if it takes until the next one is due.
 * <em>Memory:</em> the untrimmed ledgers, and a few megabytes.
 *
 * <p>Evidence is answered {@code Held} until Raft itself has elected another leader, which takes it the election timeout.
 */
public final class RaftAuthority implements Authority {

    static final Logger LOG = LoggerFactory.getLogger(RaftAuthority.class);

    /** Nobody waits at a terminal for a member that begins anew by itself, and a group without a leader may get one. */
    private static final Duration UNTIL_THERE_IS_A_LEADER = Duration.ofMinutes(5);

    /** Loggers of the engine that talk too much, and the level that leaves what matters. */
    public static final Map<String, String> NOISY_LOGGERS = Map.of(
            "org.apache.ratis", "WARN",
            "org.apache.ratis.grpc.server.GrpcLogAppender", "ERROR",
            "org.apache.ratis.grpc.client.GrpcClientRpc", "OFF",
            "org.apache.ratis.client.impl.OrderedAsync", "OFF",
            "org.apache.ratis.util.LifeCycle", "OFF",
            "org.apache.ratis.util.JmxRegister", "OFF");

    private final RaftSettings settings;
    private final MemberStorage storage;
    private final Executor blocking = Executors.newVirtualThreadPerTaskExecutor();
    private final Signal signal = new Signal();
    private final Watches watches;
    private final PeerLine line;
    private final RaftMember member;
    private final Leadership leadership;
    private final Membership membership;
    private final RaftParts parts;
    private final LeaseGuard guard;
    private final Map<SeatId, RaftSeat> seats = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable String> broken = new AtomicReference<>();
    private volatile boolean inTouch;
    private volatile boolean closed;
    private boolean stopped;

    static {
        // The engine would end the process when a port is taken, and takes over the handler of uncaught exceptions.
        Thread.UncaughtExceptionHandler ours = Thread.getDefaultUncaughtExceptionHandler();
        ExitUtils.disableSystemExit();
        ExitUtils.setTerminateOnUncaughtException(false);
        Thread.setDefaultUncaughtExceptionHandler(ours);
    }

    private RaftAuthority(RaftSettings settings, MemberStorage storage, List<RaftPeer> peers) throws IOException {
        this.settings = settings;
        this.storage = storage;
        MemberId id = storage.identity().orElseThrow().member();
        this.watches = new Watches(id.value());
        EngineEvents events = new EngineEvents();
        RaftLedger ledger = new RaftLedger(settings.limits(), watches, events, blocking);
        this.line = new PeerLine(RaftMember.groupOf(settings.cluster()), new EngineProperties(settings));
        this.member = new RaftMember(settings, storage, ledger, peers, blocking);
        this.leadership = new Leadership(settings, member, ledger, signal, blocking);
        this.membership = new Membership(member, leadership, line, signal);
        this.parts = new RaftParts(settings, member, ledger, leadership, line, signal, blocking, this::outOfService);
        this.guard = new LeaseGuard(parts, this::leave);
    }

    /**
     * Starts this node's member: a new group if the storage is empty and the settings allow to bootstrap one, else the
     * member that the storage belongs to. Returns when the member runs; it may not know a leader yet.
     *
     * @throws IllegalArgumentException if the settings have faults
     * @throws StorageRefusedException if the storage is not this member's, or was lost
     * @throws StartFailedException if the address is taken, or the engine cannot read its files
     */
    public static RaftAuthority start(RaftSettings settings) {
        check(settings);
        MemberStorage storage = MemberStorage.open(settings);
        return orClose(settings, storage, () -> {
            if (storage.isToBeginAnew()) {
                RaftAuthority anew = join(settings, storage, UNTIL_THERE_IS_A_LEADER);
                storage.forgetTheLost();
                return anew;
            }
            Optional<MemberStorage.Identity> identity = storage.identity();
            if (identity.isEmpty()) {
                if (!settings.bootstrap()) {
                    throw new StorageRefusedException("storage: " + settings.storage()
                            + " is empty, and bootstrap is off (expected: the log of " + settings.node()
                            + "). A member that has lost its disk has forgotten its votes: let it join again, which"
                            + " replaces it by a new member of the same node");
                }
                storage.mark(new MemberStorage.Identity(MemberId.first(settings.node()), true));
            } else if (!identity.get().joined()) {
                throw new StorageRefusedException(
                        "storage: " + settings.storage() + " is of a member that did not finish"
                                + " joining (expected: a member of the group); join again");
            }
            return launch(settings, storage, firstMembers(settings, storage));
        });
    }

    /** Whom a new group begins with. Once the engine has stored its members, those count, whatever stands here. */
    private static List<RaftPeer> firstMembers(RaftSettings settings, MemberStorage storage) {
        MemberId self = storage.identity().orElseThrow().member();
        List<RaftPeer> peers = new ArrayList<>();
        if (self.equals(MemberId.first(settings.node()))) {
            settings.peers().forEach((node, address) -> peers.add(RaftMember.peer(MemberId.first(node), address)));
        }
        return peers;
    }

    /**
     * Brings this node into a running group: a new node, or one that has lost its disk. It starts as an empty member
     * under a name that the group has never seen, and asks the leader, through the peers in the settings, to take it in
     * in one step in place of whatever its node was before. Blocks until that is done. Safe to repeat.
     */
    public static RaftAuthority join(RaftSettings settings) {
        check(settings.withBootstrap(false));
        MemberStorage storage = MemberStorage.open(settings);
        return orClose(settings, storage, () -> {
            if (storage.isToBeginAnew()) {
                RaftAuthority anew = join(settings, storage, Membership.PATIENCE);
                storage.forgetTheLost();
                return anew;
            }
            return join(settings, storage, Membership.PATIENCE);
        });
    }

    private static RaftAuthority join(RaftSettings settings, MemberStorage storage, Duration patience)
            throws IOException {
        Optional<MemberStorage.Identity> identity = storage.identity();
        if (identity.isPresent() && identity.get().joined()) {
            return launch(settings, storage, List.of());
        }
        MemberId id = identity.map(MemberStorage.Identity::member).orElseGet(() -> MemberId.again(settings.node()));
        storage.mark(new MemberStorage.Identity(id, false));
        RaftAuthority joining = launch(settings, storage, List.of());
        try {
            joining.membership.joinThrough(settings.others(), settings.address(), patience);
            storage.mark(new MemberStorage.Identity(id, true));
        } catch (RuntimeException e) {
            joining.close();
            throw e;
        }
        return joining;
    }

    private interface Opening {
        RaftAuthority open() throws IOException;
    }

    private static RaftAuthority orClose(RaftSettings settings, MemberStorage storage, Opening opening) {
        try {
            return opening.open();
        } catch (IOException e) {
            storage.close();
            throw notStarted(settings, e);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    private static void check(RaftSettings settings) {
        List<Fault> faults = settings.faults("");
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    faults.stream().map(Fault::toString).collect(Collectors.joining("; ", "raft settings: ", "")));
        }
    }

    private static RaftAuthority launch(RaftSettings settings, MemberStorage storage, List<RaftPeer> peers)
            throws IOException {
        URI listen = URI.create("raft://" + settings.listenAddress());
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(listen.getHost(), listen.getPort()));
        } catch (IOException e) {
            throw new StartFailedException(
                    "listen: " + settings.listenAddress() + " cannot be opened: " + e.getMessage()
                            + " (expected: a free port of this machine; stop whoever uses it or choose another)",
                    e);
        }
        RaftAuthority authority = new RaftAuthority(settings, storage, peers);
        try {
            authority.watches.start();
            authority.member.start();
            authority.guard.start();
        } catch (IOException | RuntimeException e) {
            authority.close(); // a failed start leaves threads behind
            throw notStarted(settings, e);
        }
        return authority;
    }

    private static StartFailedException notStarted(RaftSettings settings, Exception failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new StartFailedException(
                "the engine does not start on " + settings.storage() + ": " + failure.getMessage() + ", because "
                        + root.getMessage()
                        + " (expected: files as it left them; restore them, or empty the directory and join again)",
                failure);
    }

    @Override
    public String kind() {
        return "raft";
    }

    @Override
    public SeatAuthority seat(SeatId seat) {
        return seats.computeIfAbsent(seat, id -> new RaftSeat(id, parts));
    }

    public NodeId node() {
        return settings.node();
    }

    /** The node whose member leads, as far as this one knows. */
    public Optional<NodeId> leader() {
        return member.footing().leader().map(MemberId::node);
    }

    /** Whether this node's member leads and is ready. */
    public boolean leads() {
        return member.footing().leads();
    }

    /** A member of the group. */
    public record Member(NodeId node, String name, String address, boolean witness) {}

    /** The voting members, as this one knows them. */
    public List<Member> members() {
        return member.peers().stream()
                .map(peer -> {
                    MemberId id = MemberId.of(peer.getId());
                    return new Member(id.node(), id.value(), peer.getAddress(), settings.isWitness(id.node()));
                })
                .toList();
    }

    /** Takes a node out of the group; its member stops working. Blocks until the group has agreed. Safe to repeat. */
    public void removeMember(NodeId node) {
        membership.request(
                new PeerRequest.Remove(node), () -> member.peerOf(node).isEmpty());
    }

    /**
     * Moves the leadership, and with it all seats, to that node; whoever holds a seat here loses it, so a holder that can
     * be asked hands over by ticket instead. Blocks until the node leads; repeats if the engine chose another.
     */
    public void transferTo(NodeId node) {
        if (settings.isWitness(node)) {
            throw new IllegalArgumentException(node + " is a witness (expected: a member that may hold seats)");
        }
        membership.request(
                new PeerRequest.MoveTo(node),
                () -> leader().filter(node::equals).isPresent());
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Whether this member has known a leader since it started. Until then what it knows of seats and ledgers may be as
     * old as its last run.
     */
    public boolean isInTouch() {
        if (!inTouch && member.footing().leader().isPresent()) {
            inTouch = true;
        }
        return inTouch;
    }

    /** Why this member does not work any more and must be restarted, if so: a full disk, a removal, a defect. */
    public Optional<String> broken() {
        return Optional.ofNullable(broken.get());
    }

    /** How much disk a member needs at most while its untrimmed ledgers take {@code ledgerBytes}. */
    public static long diskBound(RaftSettings.Limits limits, long ledgerBytes) {
        return 2 * ledgerBytes + 2L * limits.snapshotBytes() + 3 * EngineProperties.segmentBytes(limits);
    }

    private @Nullable String outOfService() {
        if (closed) {
            return settings.node() + " has left the group";
        }
        return broken.get();
    }

    /** Nothing else helps: without this member the others elect a leader. */
    private void leave(String why) {
        if (!closed && broken.compareAndSet(null, why)) {
            LOG.error("{}: leaves the group: {}", member.id(), why);
            Thread.ofPlatform().name("baton-raft-leave").daemon().start(this::stop);
        }
    }

    /**
     * Leaves the group. A leader without seats hands the leadership on first, so that nobody has to wait for an election.
     * Takes up to a second, because the engine's log looks only once a second whether it shall end; the leadership is
     * laid down before that.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Footing footing = member.footing();
            if (footing.leads() && parts.ledger().held().isEmpty()) {
                member.bestFollower().ifPresent(follower -> member.transfer(Optional.of(follower)));
            }
            stop();
        }
    }

    private synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        guard.close();
        try {
            member.close();
            BoundedClose.within(BoundedClose.LIMIT, "the line of " + member.id() + " to its peers", line::close);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: closing failed", member.id(), e);
        } finally {
            watches.close();
            signal.raise();
            storage.close();
        }
    }

    private final class EngineEvents implements RaftLedger.Events {
        @Override
        public void leaderReady() {
            leadership.ready();
            if (settings.isWitness(settings.node())) {
                leadership.giveAway(member.footing().term());
            }
            signal.raise();
        }

        @Override
        public void changed() {
            signal.raise();
        }

        @Override
        public void appending(RaftClientRequest request) {
            member.appending(request);
        }

        @Override
        public void broken(String why, @Nullable Throwable cause) {
            LOG.error("{}: {}", member.id(), why, cause);
            leave(why + (cause == null ? "" : ": " + cause.getMessage()));
        }

        @Override
        public void snapshotReady() {
            member.takeSnapshot();
        }

        @Override
        public CompletableFuture<Bytes> asked(Bytes request) {
            return CompletableFuture.supplyAsync(
                    () -> membership.decide(PeerRequest.decode(request)).encode(), blocking);
        }
    }
}
