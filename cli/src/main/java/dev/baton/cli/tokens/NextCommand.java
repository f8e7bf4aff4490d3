package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes tokens. */
@Command(
        name = "next",
        description = {
            "Takes the next tokens of a namespace.",
            "Asks again under the same request id if an answer is lost, so that none is wasted."
        },
        footer = {"%nExamples:", "  baton tokens next voucher", "  baton tokens next voucher --count 100 --json"})
final class NextCommand implements Callable<Integer> {

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NAMESPACE", description = "Whose tokens, such as voucher or shop/orders.")
    private String namespace = "";

    @Option(names = "--count", paramLabel = "N", defaultValue = "1", description = "How many tokens (default: 1).")
    private long count;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        TokenRequest request = TokenRequest.newBuilder()
                .setNamespace(namespace)
                .setCount(count)
                .setClientId("cli-" + UUID.randomUUID())
                .setSequence(1)
                .setAcceptStep(true)
                .build();
        try (TokenLine line = target.open()) {
            TokenResponse tokens = line.ask(
                    target.within(),
                    (node, patience) -> TokenGeneratorGrpc.newBlockingStub(node)
                            .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                            .nextToken(request));
            output.printOrFail(RangeWords.json(tokens), List.of(RangeWords.line(tokens)));
        }
        return Exit.OK.number();
    }
}
