package dev.baton.authority.raft;

import dev.baton.core.Bytes;
import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** The engine's server in this process, in our words. */
final class RaftMember implements AutoCloseable {

    private static final long TRANSFER_MILLIS = 1_000;

    private final RaftSettings settings;
    private final MemberId id;
    private final RaftGroupId group;
    private final RaftServer server;
    private final Executor blocking;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();

    /**
     * Prepares the server.
     *
     * @param peers the members of a new group; none if the group is to take this member in
     */
    RaftMember(
            RaftSettings settings,
            MemberStorage storage,
            RaftLedger ledger,
            Collection<RaftPeer> peers,
            Executor blocking)
            throws IOException {
        this.settings = settings;
        this.id = storage.identity().orElseThrow().member();
        this.group = groupOf(settings.cluster());
        this.blocking = blocking;
        EngineProperties properties = new EngineProperties(settings);
        this.server = RaftServer.newBuilder()
                .setServerId(id.peer())
                .setGroup(RaftGroup.valueOf(group, peers))
                .setStateMachineRegistry(found -> {
                    if (!found.equals(group)) {
                        throw new StorageRefusedException("storage: " + storage.engine() + " holds group " + found
                                + " (expected: only " + group + ", the group of cluster " + settings.cluster() + ")");
                    }
                    return ledger;
                })
                .setProperties(properties.server(storage))
                .setParameters(properties.parameters())
                .setOption(RaftStorage.StartupOption.RECOVER)
                .build();
    }

    static RaftGroupId groupOf(ClusterId cluster) {
        byte[] name = ("baton/" + cluster.value()).getBytes(StandardCharsets.UTF_8);
        return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name));
    }

    static RaftPeer peer(MemberId member, String address) {
        // Equal priorities: only a member with the highest can be handed the leadership.
        return RaftPeer.newBuilder()
                .setId(member.peer())
                .setAddress(address)
                .setPriority(0)
                .build();
    }

    MemberId id() {
        return id;
    }

    void start() throws IOException {
        server.start();
    }

    // Where it stands

    private RaftServer.Division division() throws IOException {
        return server.getDivision(group);
    }

    Footing footing() {
        try {
            DivisionInfo info = division().getInfo();
            RaftPeerId leader = info.getLeaderId();
            boolean leads = info.isAlive() && info.isLeader() && info.isLeaderReady();
            return new Footing(
                    leads, info.getCurrentTerm(), Optional.ofNullable(leader).map(MemberId::of));
        } catch (IOException | RuntimeException e) {
            return new Footing(false, 0, Optional.empty()); // not started yet, or closing
        }
    }

    /** Drops the connections to all other members, see {@link #reconnect(MemberId, String)}. */
    void reconnect() {
        for (RaftPeer peer : peers()) {
            if (!peer.getId().equals(id.peer())) {
                reconnect(MemberId.of(peer.getId()), "there is no leader");
            }
        }
    }

    /**
     * Drops the connection to that member, so that the next request makes a new one at once.
     *
     * <p>Returns at once. The new connection can be used from then on, but the engine takes three seconds and more to put
     * a dumb one away, and the lease guard, who calls here, has other things to do.
     */
    void reconnect(MemberId other, String why) {
        blocking.execute(() -> server.getServerRpc().handleException(other.peer(), new IOException(why), true));
    }

    /** False once the engine has given this member up, or the group has. */
    boolean isAlive() {
        try {
            return division().getInfo().isAlive();
        } catch (IOException e) {
            return false;
        }
    }

    /** The voting members, as this member knows them. */
    List<RaftPeer> peers() {
        try {
            return List.copyOf(division().getRaftConf().getCurrentPeers());
        } catch (IOException e) {
            return List.of();
        }
    }

    Optional<RaftPeer> peer(MemberId member) {
        return peers().stream()
                .filter(peer -> peer.getId().equals(member.peer()))
                .findFirst();
    }

    Optional<RaftPeer> peerOf(NodeId node) {
        return peers().stream()
                .filter(peer -> MemberId.of(peer.getId()).node().equals(node))
                .findFirst();
    }

    /** At the leader: the member that answered last, of those that may hold seats; none if all are silent. */
    Optional<MemberId> bestFollower() {
        try {
            return division().getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                    .filter(follower -> follower.getLastRpcElapsedTimeMs()
                            <= settings.times().electionMax().toMillis())
                    .sorted(Comparator.comparingLong(ServerRpcProto::getLastRpcElapsedTimeMs))
                    .map(follower -> new MemberId(follower.getId().getId().toStringUtf8()))
                    .filter(follower -> !settings.isWitness(follower.node()))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** At the leader: how long each follower has not answered; nobody if this member does not lead. */
    Map<MemberId, Duration> silences() {
        try {
            Map<MemberId, Duration> silences = new HashMap<>();
            for (ServerRpcProto follower :
                    division().getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()) {
                silences.put(
                        new MemberId(follower.getId().getId().toStringUtf8()),
                        Duration.ofMillis(follower.getLastRpcElapsedTimeMs()));
            }
            return silences;
        } catch (IOException e) {
            return Map.of();
        }
    }

    // What it does

    /** A request on its way, and whether the engine has begun to write it. */
    private static final class Pending {
        private final CompletableFuture<Submitted> outcome = new CompletableFuture<>();
        private volatile boolean appending;

        void fail(String why) {
            outcome.complete(appending ? new Submitted.Unknown(why) : new Submitted.NotSent(why));
        }
    }

    /** Called by the state machine right before the entry is written. */
    void appending(RaftClientRequest request) {
        Pending noted = request.getClientId().equals(clientId) ? pending.get(request.getCallId()) : null;
        if (noted != null) {
            noted.appending = true;
        }
    }

    /** Submits to the local server only; the stage always completes normally, within the request timeout. */
    CompletableFuture<Submitted> submit(Command command) {
        Bytes bytes = CommandCodec.encode(command);
        int largest = settings.limits().entryBytes();
        if (bytes.size() > largest) {
            // The engine would depose the leader over it, so it must not get that far.
            return CompletableFuture.completedFuture(
                    new Submitted.NotSent("entry: " + bytes.size() + " bytes with its command (expected: at most "
                            + largest + "; raise entry-bytes on every member, or make smaller entries)"));
        }
        long call = calls.incrementAndGet();
        Pending sent = new Pending();
        pending.put(call, sent);
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(id.peer())
                .setGroupId(group)
                .setCallId(call)
                .setMessage(Message.valueOf(ByteString.copyFrom(bytes.asBuffer())))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        blocking.execute(() -> send(request, sent)); // it blocks until the log has taken the entry
        Duration patience = settings.times().request();
        return sent.outcome
                .completeOnTimeout(
                        new Submitted.Unknown("not decided within " + patience),
                        patience.toMillis(),
                        TimeUnit.MILLISECONDS)
                .whenComplete((outcome, failure) -> pending.remove(call));
    }

    private void send(RaftClientRequest request, Pending sent) {
        try {
            var unused = server.submitClientRequestAsync(request).whenComplete((reply, failure) -> {
                if (failure != null) {
                    sent.fail(describe(failure));
                } else if (reply.isSuccess() && reply.getMessage() instanceof RaftLedger.ReplyMessage(Reply decided)) {
                    sent.outcome.complete(new Submitted.Applied(decided));
                } else {
                    sent.fail(describe(reply.getException()));
                }
            });
        } catch (IOException | RuntimeException e) {
            sent.fail(describe(e));
        }
    }

    private static String describe(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null
                ? "the engine gave no reason"
                : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    /**
     * Asks the engine to hand the leadership over; with no target, to lay it down. Blocks until the engine is done with
     * it, for a second at most, which does not mean that it has worked: look who leads.
     */
    void transfer(Optional<MemberId> target) {
        try {
            RaftClientReply reply = server.transferLeadership(new TransferLeadershipRequest(
                    clientId,
                    id.peer(),
                    group,
                    calls.incrementAndGet(),
                    target.map(MemberId::peer).orElse(null),
                    TRANSFER_MILLIS));
            RaftAuthority.LOG.debug("{}: transfer to {}: {}", id, target, reply);
        } catch (IOException | RuntimeException e) {
            RaftAuthority.LOG.debug("{}: transfer to {}: {}", id, target, describe(e));
        }
    }

    /** Changes the voting members, in one step; blocks until it is done. */
    void configure(List<RaftPeer> voters) throws IOException {
        RaftClientReply reply = server.setConfiguration(new SetConfigurationRequest(
                clientId,
                id.peer(),
                group,
                calls.incrementAndGet(),
                SetConfigurationRequest.Arguments.newBuilder()
                        .setServersInNewConf(voters)
                        .build()));
        if (!reply.isSuccess()) {
            throw new IOException(describe(reply.getException()), reply.getException());
        }
    }

    void takeSnapshot() {
        blocking.execute(() -> {
            try {
                server.snapshotManagement(SnapshotManagementRequest.newCreate(
                        clientId, id.peer(), group, calls.incrementAndGet(), 10_000, 1));
            } catch (IOException e) {
                // The next one is due soon; a member that cannot write is reported by its log.
                RaftAuthority.LOG.warn("{}: no snapshot: {}", id, describe(e));
            }
        });
    }

    /** Returns within {@link BoundedClose#LIMIT}, whatever the engine does. */
    @Override
    public void close() throws IOException {
        try {
            BoundedClose.within(BoundedClose.LIMIT, "the engine of " + id, server::close);
        } finally {
            pending.values().forEach(sent -> sent.fail("this member was closed"));
        }
    }
}
