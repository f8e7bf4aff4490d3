package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.wire.tokens.v1.FreezeRequest;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stops the handing out of tokens. */
@Command(
        name = "freeze",
        description = "Stops handing out tokens of a namespace, or resumes it.",
        footer = {"%nExamples:", "  baton tokens freeze voucher", "  baton tokens freeze voucher --off"})
final class FreezeCommand implements Callable<Integer> {

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "NAME", description = "The namespace.")
    private String name = "";

    @Option(names = "--off", description = "Resume instead.")
    private boolean off;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        FreezeRequest request =
                FreezeRequest.newBuilder().setName(name).setFrozen(!off).build();
        try (TokenLine line = target.open()) {
            NamespacesResponse now = line.ask(
                    target.within(),
                    (node, patience) -> TokenNamespacesGrpc.newBlockingStub(node)
                            .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                            .freeze(request));
            output.print(
                    NamespaceWords.json(now.getNamespacesList(), now.getHeight()),
                    NamespaceWords.lines(now.getNamespacesList()));
        }
        return Exit.OK.number();
    }
}
