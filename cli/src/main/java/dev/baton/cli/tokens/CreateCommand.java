package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.wire.tokens.v1.CreateRequest;
import dev.baton.wire.tokens.v1.Guarantee;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a namespace. */
@Command(
        name = "create",
        description = {
            "Makes a namespace; making the same one again changes nothing and is well.",
            "A strict one (the default) answers after the commit: later requests get higher tokens, whatever clocks do."
        },
        footer = {
            "%nExamples:",
            "  baton tokens create voucher",
            "  baton tokens create events --leased",
            "  baton tokens create shop/orders --start 1000 --ceiling 9999999",
            "  baton tokens create wide --shards 4"
        })
final class CreateCommand implements Callable<Integer> {

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(
            paramLabel = "NAME",
            description = "1 to 4 parts joined by '/', each of a-z, 0-9, '.', '_' and '-', such as shop/orders.")
    private String name = "";

    @Option(
            names = "--leased",
            description =
                    "Answer from a range that was committed ahead: faster; in order only while clocks keep their rate.")
    private boolean leased;

    @Option(names = "--start", paramLabel = "N", description = "The first token (default: the first there is).")
    private Optional<Long> start = Optional.empty();

    @Option(names = "--step", paramLabel = "N", description = "How far apart tokens lie (default: 1).")
    private Optional<Long> step = Optional.empty();

    @Option(names = "--ceiling", paramLabel = "N", description = "No token above this one (default: 2^63 - 1).")
    private Optional<Long> ceiling = Optional.empty();

    @Option(
            names = "--max-count",
            paramLabel = "N",
            description = "No request for more tokens than this at once (default: the server's limit).")
    private Optional<Long> maxCount = Optional.empty();

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "Make NAME/0 to NAME/N-1, whose tokens interleave: in order only within each.")
    private Optional<Integer> shards = Optional.empty();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        CreateRequest request = CreateRequest.newBuilder()
                .setName(name)
                .setGuarantee(leased ? Guarantee.LEASED : Guarantee.STRICT)
                .setStart(orChosen("--start", start))
                .setStep(orChosen("--step", step))
                .setCeiling(orChosen("--ceiling", ceiling))
                .setMaxCount(orChosen("--max-count", maxCount))
                .setShards(shards.isEmpty() ? 0 : (int) orChosen("--shards", shards.map(Integer::longValue)))
                .build();
        try (TokenLine line = target.open()) {
            NamespacesResponse made = line.ask(
                    target.within(),
                    (node, patience) -> TokenNamespacesGrpc.newBlockingStub(node)
                            .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                            .create(request));
            output.print(
                    NamespaceWords.json(made.getNamespacesList(), made.getHeight()),
                    NamespaceWords.lines(made.getNamespacesList()));
        }
        return Exit.OK.number();
    }

    /** On the wire 0 lets the holder choose, which is not what somebody means who writes it. */
    private static long orChosen(String option, Optional<Long> wanted) throws CliFailure {
        if (wanted.isPresent() && wanted.get() < 1) {
            throw new CliFailure(Exit.USAGE, option + ": " + wanted.get() + " (expected: 1 or more)");
        }
        return wanted.orElse(0L);
    }
}
