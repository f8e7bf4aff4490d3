package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes one range after the other. */
@Command(
        name = "stream",
        description = {
            "Takes one range of tokens after the other, as fast as they are printed.",
            "Goes on at the new holder if the seat changes hands, without a gap or a repeat."
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
            while (messages == 0 || received < messages) {
                long before = received;
                String address = line.current();
                try {
                    // A service that ends the stream early is asked for the rest.
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

    private long deadlineNanos() {
        return System.nanoTime() + target.within().toNanos();
    }

    private void read(TokenLine line, String address) {
        Iterator<TokenResponse> ranges = TokenGeneratorGrpc.newBlockingStub(line.to(address))
                .streamTokens(StreamRequest.newBuilder()
                        .setNamespace(namespace)
                        .setChunk(chunk)
                        .setMessages(messages == 0 ? 0 : messages - received)
                        .setClientId(client)
                        .setFirstSequence(received + 1)
                        .setAcceptStep(true)
                        .build());
        while (ranges.hasNext()) {
            TokenResponse tokens = ranges.next();
            received++;
            output.print(RangeWords.json(tokens), List.of(RangeWords.line(tokens)));
        }
    }
}
