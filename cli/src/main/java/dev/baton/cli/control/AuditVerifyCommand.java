package dev.baton.cli.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.Reply;
import dev.baton.control.audit.Book;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Checks every book: that each record follows the one before, that the nodes' books agree, and that what running nodes
 * know from the ledger fits. A book alone cannot tell that its last records were taken away; the others can.
 */
@Command(name = "verify", description = "Finds any record that was changed, taken out or put in another order.")
final class AuditVerifyCommand implements Callable<Integer> {

    @Mixin
    private final AuditCommand.Books books = new AuditCommand.Books();

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Map<String, Path> found = books.find();
        Map<String, List<String>> texts = new LinkedHashMap<>();
        List<String> faults = new ArrayList<>();
        List<String> words = new ArrayList<>();
        ObjectNode json = Json.object();
        ArrayNode list = json.putArray("books");
        for (Map.Entry<String, Path> book : found.entrySet()) {
            Book.Verdict verdict;
            try {
                verdict = Book.verify(book.getValue());
                texts.put(book.getKey(), Files.readAllLines(book.getValue()));
            } catch (IOException e) {
                verdict = new Book.Verdict(0, "", Optional.of("cannot be read as text: " + e));
            }
            list.addObject()
                    .put("node", book.getKey())
                    .put("records", verdict.count())
                    .put("tip", verdict.tip())
                    .put("fault", verdict.fault().orElse(null));
            words.add(book.getKey() + ": " + verdict.count() + " records, "
                    + verdict.fault().map(fault -> "BROKEN at " + fault).orElse("each follows the one before"));
            verdict.fault().ifPresent(fault -> faults.add(book.getKey() + ": " + fault));
        }
        faults.addAll(disagreements(texts));
        if (!books.isOneFile()) {
            faults.addAll(ledgerFaults());
        }
        ArrayNode wrong = json.putArray("faults");
        faults.forEach(wrong::add);
        json.put("verdict", faults.isEmpty() ? "PASS" : "FAIL");
        faults.forEach(fault -> words.add("fault: " + fault));
        words.add(faults.isEmpty() ? "PASS" : "FAIL");
        output.print(json, words);
        return (faults.isEmpty() ? Exit.OK : Exit.FAILED).number();
    }

    /** A node that was down has a shorter book, but never another one. */
    private static List<String> disagreements(Map<String, List<String>> texts) {
        List<String> faults = new ArrayList<>();
        String owner = "";
        List<String> longest = List.of();
        for (Map.Entry<String, List<String>> book : texts.entrySet()) {
            if (book.getValue().size() > longest.size()) {
                owner = book.getKey();
                longest = book.getValue();
            }
        }
        for (Map.Entry<String, List<String>> book : texts.entrySet()) {
            List<String> same = longest.subList(0, book.getValue().size());
            for (int i = 0; i < same.size(); i++) {
                if (!same.get(i).equals(book.getValue().get(i))) {
                    faults.add(book.getKey() + ": record " + (i + 1) + " is another one than in the book of " + owner);
                    break;
                }
            }
        }
        return faults;
    }

    /** What running nodes found when they held their book against the ledger. */
    private List<String> ledgerFaults() throws CliFailure, InterruptedException {
        List<String> faults = new ArrayList<>();
        for (Map.Entry<NodeAddress, Reply> node :
                books.target().askAll("/status").entrySet()) {
            node.getValue()
                    .answer()
                    .map(status -> status.path("auditBroken").asText(""))
                    .filter(damage -> !damage.isEmpty() && !damage.equals("null"))
                    .ifPresent(damage -> faults.add(node.getKey().node() + ": held against the ledger: " + damage));
        }
        return faults;
    }
}
