package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import java.util.concurrent.CompletionStage;

/** Takes transactions. Thread-safe, does not block; every stage completes normally. Safe to repeat. */
@FunctionalInterface
public interface Submitter {

    CompletionStage<Submitted> submit(Bytes transaction);
}
