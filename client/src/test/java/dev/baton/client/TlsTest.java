package dev.baton.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.tck.Certificates;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.TlsServerCredentials;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    @Test
    void clientTrustsItsAuthorityAndShowsACertificate(@TempDir Path folder) throws Exception {
        Certificates ours = new Certificates(folder.resolve("ours"));
        Certificates foreign = new Certificates(folder.resolve("foreign"));
        try (StandIn node = new StandIn(
                new Ledger(),
                0,
                TlsServerCredentials.newBuilder()
                        .keyManager(ours.certificate().toFile(), ours.key().toFile())
                        .trustManager(ours.authority().toFile())
                        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                        .build())) {
            try (TokenClient client = builder(node)
                    .tls(ours.authority(), ours.certificate(), ours.key())
                    .build()) {
                assertThat(client.namespace("voucher").next()).isEqualTo(1);
            }
            refused(builder(node).tls(ours.authority()));
            refused(builder(node).tls(ours.authority(), foreign.certificate(), foreign.key()));
            refused(builder(node).tls(foreign.authority(), ours.certificate(), ours.key()));
            refused(builder(node));
            assertThat(node.requests).hasSize(1);
        }
    }

    @Test
    void connectionsCanBeChangedBeforeTheyAreMade() {
        AtomicInteger calls = new AtomicInteger();
        ClientInterceptor counting = new ClientInterceptor() {
            @Override
            public <Q, A> ClientCall<Q, A> interceptCall(
                    MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
                calls.incrementAndGet();
                return next.newCall(method, options);
            }
        };
        try (StandIn node = new StandIn(new Ledger());
                TokenClient client = builder(node)
                        .channels(channel -> channel.intercept(counting))
                        .build()) {
            client.namespace("voucher").next();
        }
        assertThat(calls).hasValue(1);
    }

    private static void refused(TokenClientBuilder builder) {
        try (TokenClient client = builder.build()) {
            assertThatThrownBy(() -> client.namespace("voucher").next())
                    .isInstanceOf(TokenException.class)
                    .hasMessageContaining("UNAVAILABLE");
        }
    }

    private static TokenClientBuilder builder(StandIn node) {
        return Clockwork.patient(node.address()).tries(1);
    }
}
