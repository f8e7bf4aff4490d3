package dev.baton.bench.load;

import java.util.concurrent.CompletionStage;

/** One caller's question, asked anew each time. */
@FunctionalInterface
public interface AsyncCall {

    /** Asks; does not block. */
    CompletionStage<?> ask();
}
