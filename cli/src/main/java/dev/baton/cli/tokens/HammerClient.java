package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.tokens.verify.HandedRange;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One of the callers of {@code hammer}: one request at a time, each until it is answered, always under its own id,
 * so that a retry brings the same tokens (INV-14).
 *
 * <p>A request counts as sent when it was sent first: the tokens that a retry brings may have been reserved by then.
 */
final class HammerClient {

    private static final Metadata.Key<String> REASON =
            Metadata.Key.of("baton-reason", Metadata.ASCII_STRING_MARSHALLER);

    private static final long ATTEMPT_MILLIS = 1000;
    private static final long PAUSE_MILLIS = 20;

    /** What all callers of a run share. */
    record Run(
            TokenLine line,
            String namespace,
            boolean leased,
            long count,
            String clock,
            HammerTime time,
            RangeWriter log,
            HammerFigures figures) {}

    private final Run run;
    private final String client;
    private long sequence;

    HammerClient(Run run, String client) {
        this.run = run;
        this.client = client;
    }

    /** At least one request, then until the run ends; a refusal that no retry can mend ends it with a failure. */
    void hammer() throws CliFailure, IOException, InterruptedException {
        do {
            sequence++;
            long sentNanos = System.nanoTime();
            Optional<TokenResponse> answer = answer();
            long receivedNanos = System.nanoTime();
            if (answer.isPresent()) {
                note(answer.get(), sentNanos, receivedNanos);
            } else {
                run.figures().lost();
            }
        } while (!run.time().isOver());
    }

    private void note(TokenResponse tokens, long sentNanos, long receivedNanos) throws IOException {
        run.log()
                .write(new HandedRange(
                        client,
                        run.clock(),
                        run.namespace(),
                        run.leased(),
                        tokens.getStartToken(),
                        tokens.getEndToken(),
                        RangeWords.step(tokens),
                        tokens.getRevision(),
                        tokens.getEpoch(),
                        tokens.getHeight(),
                        sentNanos,
                        receivedNanos));
        run.figures().answered(sentNanos, receivedNanos, run.count(), tokens.getDuplicate());
    }

    /** Nothing if it will never be known. */
    private Optional<TokenResponse> answer() throws CliFailure, InterruptedException {
        TokenRequest request = TokenRequest.newBuilder()
                .setNamespace(run.namespace())
                .setCount(run.count())
                .setClientId(client)
                .setSequence(sequence)
                .setAcceptStep(true)
                .build();
        while (true) {
            String address = run.line().current();
            try {
                return Optional.of(TokenGeneratorGrpc.newBlockingStub(run.line().to(address))
                        .withDeadlineAfter(ATTEMPT_MILLIS, TimeUnit.MILLISECONDS)
                        .nextToken(request));
            } catch (StatusRuntimeException e) {
                if (isForgotten(e) || run.time().isGivenUp()) {
                    return Optional.empty();
                }
                if (!TokenLine.mayRetry(e)) {
                    throw TokenLine.failure(address, e);
                }
                run.figures().retried();
                if (!run.line().moveOn(address, e)) {
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        }
    }

    private static boolean isForgotten(StatusRuntimeException e) {
        return Optional.ofNullable(e.getTrailers())
                .map(trailers -> trailers.get(REASON))
                .filter("FORGOTTEN"::equals)
                .isPresent();
    }
}
