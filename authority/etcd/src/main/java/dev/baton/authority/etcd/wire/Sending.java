package dev.baton.authority.etcd.wire;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/** Notices whether a request has left this process: only then can its loss leave a doubt. */
final class Sending extends ClientStreamTracer.Factory {

    private volatile boolean sent;

    boolean isSent() {
        return sent;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
        return new ClientStreamTracer() {
            @Override
            public void outboundHeaders() {
                sent = true;
            }
        };
    }
}
