package dev.baton.cli.tokens;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.tokens.verify.Ledger;
import dev.baton.cli.tokens.verify.RangeLog;
import dev.baton.cli.tokens.verify.Verdict;
import dev.baton.cli.tokens.verify.Verifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Judges logs of handed-out tokens. */
@Command(
        name = "verify",
        description = {
            "Judges logs of handed-out tokens: no token twice, later requests got higher tokens, no revision went back.",
            "With --at or --data it also asks that cluster whether its ledger covers every range.",
            "A log has a JSON object per line: client, namespace, start, end, step, revision, epoch, height, sentNanos,"
                    + " receivedNanos, and perhaps guarantee (STRICT or LEASED) and clock: whose monotonic clock the"
                    + " times are of. Times of two clocks are not compared; without clock, those of two files are not.",
            "The ledger remembers the last terms of each namespace. Ranges of older ones are told apart and not judged by"
                    + " it.",
            "The last line is the verdict: PASS ends with 0, FAIL with 1, and UNKNOWN with 7: nothing wrong was found, but"
                    + " there was nothing to judge, or not all of it could be."
        },
        footer = {
            "%nExamples:",
            "  baton tokens verify run.jsonl",
            "  baton tokens verify one.jsonl two.jsonl --at 10.0.0.5:50051,10.0.0.6:50051 --json"
        })
final class VerifyCommand implements Callable<Integer> {

    @Mixin
    private final TokenTarget target = new TokenTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The logs, as baton tokens hammer writes them.")
    private List<Path> files = new ArrayList<>();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Verifier verifier = new Verifier();
        for (Path file : files) {
            try {
                RangeLog.read(file, verifier);
            } catch (IOException e) {
                throw new CliFailure(Exit.USAGE, file + " cannot be read: " + e + " (expected: a readable log)", e);
            }
        }
        Verdict verdict = verifier.judge(target.isNamed() ? ledger(verifier) : Optional.empty());
        tell(verdict);
        return switch (verdict.word()) {
            case PASS -> Exit.OK.number();
            case FAIL -> Exit.FAILED.number();
            case UNKNOWN -> Exit.UNDECIDED.number();
        };
    }

    private Optional<Ledger> ledger(Verifier verifier) throws InterruptedException {
        try (TokenLine line = target.open()) {
            return Optional.of(new LedgerReader(line).read(verifier.namespaces(), verifier.highest(), target.within()));
        } catch (CliFailure e) {
            verifier.addDoubt(e.getMessage());
            return Optional.empty();
        }
    }

    private void tell(Verdict verdict) {
        if (output.isJson()) {
            output.json(json(verdict));
            return;
        }
        verdict.examples().forEach(output::line);
        verdict.doubts().forEach(doubt -> output.line("not judged: " + doubt));
        output.line(verdict.ranges() + " ranges with " + verdict.tokens() + " tokens: " + verdict.duplicates()
                + " duplicates, " + verdict.orderViolations() + " out of order, " + verdict.revisionDecreases()
                + " revisions went back, "
                + (target.isNamed() ? verdict.uncovered() + " not in the ledger" : "the ledger was not asked")
                + (verdict.forgotten() == 0 ? "" : ", " + verdict.forgotten() + " not judged by it")
                + (verdict.leasedOrderViolations() == 0
                        ? ""
                        : ", " + verdict.leasedOrderViolations() + " out of order in leased namespaces, which may be"));
        output.line(verdict.word().name());
    }

    private static ObjectNode json(Verdict verdict) {
        ObjectNode json = Json.object()
                .put("verdict", verdict.word().name())
                .put("ranges", verdict.ranges())
                .put("tokens", verdict.tokens())
                .put("duplicates", verdict.duplicates())
                .put("orderViolations", verdict.orderViolations())
                .put("leasedOrderViolations", verdict.leasedOrderViolations())
                .put("revisionDecreases", verdict.revisionDecreases())
                .put("uncovered", verdict.uncovered())
                .put("forgotten", verdict.forgotten());
        verdict.examples().forEach(json.putArray("examples")::add);
        verdict.doubts().forEach(json.putArray("doubts")::add);
        return json;
    }
}
