package dev.baton.authority.raft;

import dev.baton.core.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** Requests from this member straight to the leader: one hop, no retries, connected when first needed. */
final class PeerLine implements AutoCloseable {

    private final RaftGroupId group;
    private final EngineProperties properties;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final ReentrantLock turn = new ReentrantLock();
    private @Nullable RaftClientRpc rpc;
    private boolean closed;

    PeerLine(RaftGroupId group, EngineProperties properties) {
        this.group = group;
        this.properties = properties;
    }

    /**
     * Blocks for the answer; {@link PeerAnswer.Wait} if that peer does not lead, or cannot be reached.
     *
     * <p>One request at a time: a failing one closes the stream that all share.
     */
    PeerAnswer ask(RaftPeer leader, PeerRequest request) {
        turn.lock();
        try {
            RaftClientRpc line = connect(leader);
            try {
                return read(line.sendRequestAsyncUnordered(wrap(leader, request))
                        .orTimeout(patienceMillis(request), TimeUnit.MILLISECONDS)
                        .join());
            } catch (CompletionException e) {
                line.handleException(leader.getId(), e, true); // the stream is closed by now; the next one is new
                return new PeerAnswer.Wait(leader.getId() + " does not answer as the leader: " + e.getCause());
            }
        } catch (RuntimeException e) {
            return new PeerAnswer.Wait("cannot ask " + leader.getId() + ": " + e);
        } finally {
            turn.unlock();
        }
    }

    /** Members are taken in and out only after they have caught up. */
    private static long patienceMillis(PeerRequest request) {
        return switch (request) {
            case PeerRequest.Lead ignored -> 1_000;
            case PeerRequest.MoveTo ignored -> 1_000;
            case PeerRequest.Join ignored -> 10_000;
            case PeerRequest.Remove ignored -> 10_000;
        };
    }

    private RaftClientRequest wrap(RaftPeer leader, PeerRequest request) {
        return RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(leader.getId())
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setMessage(Message.valueOf(ByteString.copyFrom(request.encode().asBuffer())))
                .setType(RaftClientRequest.readRequestType())
                .build();
    }

    private static PeerAnswer read(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new UncheckedIOException(reply.getException());
        }
        return PeerAnswer.decode(Bytes.copyOf(reply.getMessage().getContent().asReadOnlyByteBuffer()));
    }

    private synchronized RaftClientRpc connect(RaftPeer leader) {
        if (closed) {
            throw new IllegalStateException("this member is closed");
        }
        RaftClientRpc line = rpc;
        if (line == null) {
            line = new GrpcFactory(properties.parameters()).newRaftClientRpc(clientId, properties.client());
            rpc = line;
        }
        line.addRaftPeers(List.of(leader));
        return line;
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        if (rpc != null) {
            rpc.close();
        }
    }
}
