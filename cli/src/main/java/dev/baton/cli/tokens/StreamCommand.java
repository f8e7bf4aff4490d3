package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes one range after the other. */
@Command(
        name = "stream",
        description = {
            "Takes one range of tokens after the other, as fast as they are printed.",
            "Goes on at the new holder if the seat changes hands or the holder falls silent, without a repeat; in"
                    + " strict namespaces without a gap, too.",
            "Ends with a failure when nobody reads what it prints."
        },
        footer = {"%nExamples:", "  baton tokens stream voucher --chunk 100 --messages 10"})
final class StreamCommand implements Callable<Integer> {

    private static final long PAUSE_MILLIS = 100;

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NAMESPACE", description = "Whose tokens, such as voucher or shop/orders.")
    private String namespace = "";

    @Option(names = "--chunk", paramLabel = "N", required = true, description = "How many tokens each range has.")
    private long chunk;

    @Option(
            names = "--messages",
            paramLabel = "M",
            defaultValue = "0",
            description = "How many ranges; 0 means until this command is stopped (default: 0).")
    private long messages;

    private final String client = "cli-" + UUID.randomUUID();
    private long received;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        if (messages < 0) {
            throw new CliFailure(Exit.USAGE, "--messages: " + messages + " (expected: 0 or more)");
        }
        try (TokenLine line = target.open()) {
            long deadlineNanos = deadlineNanos();
            while (isWanted()) {
                long before = received;
                String address = line.current();
                try {
                    read(line, address);
                } catch (StatusRuntimeException e) {
                    deadlineNanos = received > before ? deadlineNanos() : deadlineNanos;
                    if (!TokenLine.mayRetry(e) || System.nanoTime() - deadlineNanos > 0) {
                        throw TokenLine.failure(address, e);
                    }
                    if (!line.moveOn(address, e)) {
                        Thread.sleep(PAUSE_MILLIS);
                    }
                }
            }
        }
        return Exit.OK.number();
    }

    private boolean isWanted() {
        return messages == 0 || received < messages;
    }

    private long deadlineNanos() {
        return System.nanoTime() + target.within().toNanos();
    }

    private void read(TokenLine line, String address) throws CliFailure, InterruptedException {
        BlockingClientCall<?, TokenResponse> stream = TokenGeneratorGrpc.newBlockingV2Stub(line.to(address))
                .streamTokens(StreamRequest.newBuilder()
                        .setNamespace(namespace)
                        .setChunk(chunk)
                        .setMessages(messages == 0 ? 0 : messages - received)
                        .setClientId(client)
                        .setFirstSequence(received + 1)
                        .setAcceptStep(true)
                        .build());
        try {
            while (isWanted()) {
                TokenResponse tokens = next(stream);
                received++;
                output.printOrFail(RangeWords.json(tokens), List.of(RangeWords.line(tokens)));
            }
        } finally {
            stream.cancel("nobody reads on", null);
        }
    }

    /**
     * A holder that was frozen keeps the connection open and says nothing, while another one may hold the seat already. It
     * is left after a moment; if it was only slow, the range is asked for again under the same id. Nothing is counted
     * while this command is busy with printing.
     */
    private static TokenResponse next(BlockingClientCall<?, TokenResponse> stream) throws InterruptedException {
        try {
            TokenResponse tokens = stream.read(TokenLine.ATTEMPT.toMillis(), TimeUnit.MILLISECONDS);
            if (tokens == null) { // a service that ends the stream early is asked for the rest
                throw Status.UNAVAILABLE
                        .withDescription("the stream ended early")
                        .asRuntimeException();
            }
            return tokens;
        } catch (TimeoutException e) {
            throw Status.DEADLINE_EXCEEDED
                    .withDescription("no tokens within " + Durations.exact(TokenLine.ATTEMPT))
                    .asRuntimeException();
        } catch (StatusException e) {
            throw new StatusRuntimeException(e.getStatus(), e.getTrailers());
        }
    }
}
