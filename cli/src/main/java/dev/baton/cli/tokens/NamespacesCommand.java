package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.wire.tokens.v1.ListRequest;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists namespaces. */
@Command(
        name = "namespaces",
        description = "Lists the namespaces, as the node that is asked knows them.",
        footer = {"%nExamples:", "  baton tokens namespaces", "  baton tokens namespaces shop/ --json"})
final class NamespacesCommand implements Callable<Integer> {

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "Only those whose name begins so.")
    private String prefix = "";

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        try (TokenLine line = target.open()) {
            NamespacesResponse listed = line.ask(
                    target.within(),
                    (node, patience) -> TokenNamespacesGrpc.newBlockingStub(node)
                            .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                            .list(ListRequest.newBuilder().setPrefix(prefix).build()));
            output.print(
                    NamespaceWords.json(listed.getNamespacesList(), listed.getHeight()),
                    NamespaceWords.lines(listed.getNamespacesList()));
        }
        return Exit.OK.number();
    }
}
