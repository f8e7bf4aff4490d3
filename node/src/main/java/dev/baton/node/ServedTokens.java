package dev.baton.node;

import dev.baton.core.SeatId;
import dev.baton.duty.Duty;
import dev.baton.duty.tokens.TokenDuty;
import dev.baton.duty.tokens.Tokens;
import dev.baton.duty.tokens.rpc.TokenListener;
import dev.baton.duty.tokens.rpc.TokenMeter;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.config.TokensConfig;
import dev.baton.node.metrics.NodeMetrics;
import dev.baton.node.metrics.TokenMetrics;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tokens as a node serves them: on a listener of their own, because their clients are not the node's peers. */
final class ServedTokens implements ServedDuty {

    private final SeatConfig seat;
    private final NodeConfig config;
    private final TokenDuty duty;
    private volatile @Nullable TokenListener listener;
    private volatile TokenMeter meter = TokenMeter.NONE;

    ServedTokens(SeatId id, SeatConfig seat, NodeConfig config) {
        this.seat = seat;
        this.config = config;
        this.duty = TokenDuty.of(
                id,
                seat.tokens().settings(),
                seat.timings().takeoverDelay(),
                seat.timings().clockRateBound(),
                System::nanoTime,
                this::address);
    }

    /** Where clients reach the listener; with port 0 until it listens. */
    String address() {
        TokenListener open = listener;
        return new HostPort(seat.tokens().advertise().orElse(config.advertise()), open == null ? 0 : open.port())
                .toString();
    }

    @Override
    public void listen(NodeMetrics metrics) throws NodeFailure {
        TokensConfig settings = seat.tokens();
        TokenMetrics measured = metrics.add(seat.name().value(), duty, this::streams);
        meter = measured;
        try {
            listener = TokenListener.open(
                    settings.listen().socketAddress(),
                    GrpcListener.credentials(config.tls()),
                    settings.connections(),
                    duty,
                    duty::applied,
                    measured);
        } catch (IOException e) {
            throw NodeFailure.cannotListen("seats: " + seat.name() + ": tokens.listen", settings.listen(), e);
        }
    }

    private int streams() {
        TokenListener open = listener;
        return open == null ? 0 : open.streams();
    }

    @Override
    public String kind() {
        return SeatConfig.TOKENS;
    }

    @Override
    public Duty duty() {
        return duty;
    }

    @Override
    public boolean knowsOnlyTheLedger() {
        return true;
    }

    @Override
    public Optional<Tokens> tokens() {
        return Optional.of(duty);
    }

    @Override
    public TokenMeter tokenMeter() {
        return meter;
    }

    @Override
    public void serving(boolean ready, boolean leads) {
        TokenListener open = listener;
        if (open != null) {
            open.serving(ready, leads);
        }
    }

    @Override
    public void close() {
        TokenListener open = listener;
        if (open != null) {
            open.close();
        }
    }
}
