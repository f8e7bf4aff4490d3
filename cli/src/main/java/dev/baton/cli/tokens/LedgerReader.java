package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.tokens.verify.Ledger;
import dev.baton.wire.tokens.v1.HistoryRequest;
import dev.baton.wire.tokens.v1.HistoryResponse;
import dev.baton.wire.tokens.v1.ListRequest;
import dev.baton.wire.tokens.v1.Namespace;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc.TokenNamespacesBlockingStub;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks the nodes what the ledger covers, and believes the one that knows most of it. */
final class LedgerReader {

    private static final long PAUSE_MILLIS = 100;
    private static final long ATTEMPT_SECONDS = 5;

    private final TokenLine line;

    LedgerReader(TokenLine line) {
        this.line = line;
    }

    /** Waits no longer than that for a node that knows the ledger up to the height; then takes the best there is. */
    Ledger read(Set<String> names, long height, Duration within) throws CliFailure, InterruptedException {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        @Nullable StatusRuntimeException failure = null;
        while (true) {
            @Nullable Ledger best = null;
            for (String address : line.addresses()) {
                try {
                    Ledger known = ask(address, names);
                    best = best == null || known.height() > best.height() ? known : best;
                } catch (StatusRuntimeException e) {
                    failure = e;
                }
            }
            boolean late = System.nanoTime() - deadlineNanos > 0;
            if (best != null && (best.height() >= height || late)) {
                return best;
            }
            if (late) {
                throw new CliFailure(
                        Exit.UNREACHABLE,
                        "no node says what the ledger covers: " + (failure == null ? "" : failure.getMessage())
                                + " (expected: one of " + String.join(", ", line.addresses()) + ")");
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private Ledger ask(String address, Set<String> names) {
        NamespacesResponse listed = stub(address).list(ListRequest.getDefaultInstance());
        Map<String, Ledger.Coverage> coverages = new HashMap<>();
        for (Namespace namespace : listed.getNamespacesList()) {
            if (names.contains(namespace.getName())) {
                HistoryResponse history = stub(address)
                        .history(HistoryRequest.newBuilder()
                                .setName(namespace.getName())
                                .build());
                coverages.put(namespace.getName(), coverage(namespace, history));
            }
        }
        return new Ledger(listed.getHeight(), coverages);
    }

    private static Ledger.Coverage coverage(Namespace namespace, HistoryResponse history) {
        return new Ledger.Coverage(
                namespace.getNext() == 0 ? OptionalLong.empty() : OptionalLong.of(namespace.getNext()),
                history.getRememberedFrom(),
                history.getStretchesList().stream()
                        .map(stretch ->
                                new Ledger.Stretch(stretch.getEpoch(), stretch.getFirstToken(), stretch.getEndToken()))
                        .toList());
    }

    private TokenNamespacesBlockingStub stub(String address) {
        return TokenNamespacesGrpc.newBlockingStub(line.to(address))
                .withMaxInboundMessageSize(Integer.MAX_VALUE)
                .withDeadlineAfter(ATTEMPT_SECONDS, TimeUnit.SECONDS);
    }
}
