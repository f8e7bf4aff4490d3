package dev.baton.authority.raft;

import dev.baton.core.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** Requests from this member straight to the leader: one hop, no retries, connected when first needed. */
final class PeerLine implements AutoCloseable {

    private static final long ANSWER_MILLIS = 1_000;

    private final RaftGroupId group;
    private final EngineProperties properties;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private @Nullable RaftClientRpc rpc;
    private boolean closed;

    PeerLine(RaftGroupId group, EngineProperties properties) {
        this.group = group;
        this.properties = properties;
    }

    /** Fails with whatever the engine says if that peer does not lead, or cannot be reached. */
    CompletableFuture<PeerAnswer> ask(RaftPeer leader, PeerRequest request) {
        RaftClientRpc line;
        try {
            line = connect(leader);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        RaftClientRequest sent = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(leader.getId())
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setMessage(Message.valueOf(ByteString.copyFrom(request.encode().asBuffer())))
                .setType(RaftClientRequest.readRequestType())
                .build();
        return line.sendRequestAsyncUnordered(sent)
                .orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((reply, failure) -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause != null && !(cause instanceof RaftException)) {
                        line.handleException(leader.getId(), cause, true); // or it never connects again
                    }
                })
                .thenApply(PeerLine::read);
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
    public synchronized void close() {
        closed = true;
        if (rpc != null) {
            try {
                rpc.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing connections failed", e);
            }
        }
    }
}
