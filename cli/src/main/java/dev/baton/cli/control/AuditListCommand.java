package dev.baton.cli.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.control.audit.AuditRecord;
import dev.baton.control.audit.ChainedLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the last records of the longest book. */
@Command(name = "list", description = "Lists the last records.")
final class AuditListCommand implements Callable<Integer> {

    @Mixin
    private final AuditCommand.Books books = new AuditCommand.Books();

    @Mixin
    private final Output output = new Output();

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "How many (default: 20).")
    private int limit;

    @Override
    public Integer call() throws CliFailure {
        List<String> lines = longest();
        TextTable table =
                new TextTable("NUMBER", "AT", "NODE", "WHO", "CALL", "SEAT", "OUTCOME", "TERM", "HEAD", "REASON");
        ObjectNode json = Json.object();
        ArrayNode records = json.putArray("records");
        for (String text : lines.subList(Math.max(0, lines.size() - limit), lines.size())) {
            ChainedLine line;
            AuditRecord found;
            try {
                line = ChainedLine.ofText(text);
                found = AuditRecord.ofJson(line.json());
            } catch (IllegalArgumentException e) {
                throw new CliFailure(
                        Exit.FAILED, "a line cannot be read (expected: baton audit verify tells where): " + text, e);
            }
            Json.parse(line.json()).ifPresent(records::add);
            table.row(
                    line.number(),
                    found.at(),
                    found.node(),
                    found.who() + (found.requester().isEmpty() ? "" : " for " + found.requester()),
                    found.call(),
                    found.seat(),
                    found.outcome(),
                    found.epoch(),
                    found.height(),
                    found.reason().isEmpty() ? found.detail() : found.reason());
        }
        output.print(json, table.lines());
        return Exit.OK.number();
    }

    private List<String> longest() throws CliFailure {
        List<String> longest = List.of();
        for (Path book : books.find().values()) {
            try {
                List<String> lines = Files.readAllLines(book);
                longest = lines.size() > longest.size() ? lines : longest;
            } catch (IOException e) {
                throw new CliFailure(Exit.FAILED, book + " cannot be read: " + e, e);
            }
        }
        return longest;
    }
}
