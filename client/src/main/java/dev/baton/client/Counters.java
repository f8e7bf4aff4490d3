package dev.baton.client;

import java.util.concurrent.atomic.LongAdder;

/** What a client counts; touched once a batch, never once a token. */
final class Counters {
    final LongAdder tokens = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder attempts = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder redirects = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder stale = new LongAdder();
    final LongAdder unused = new LongAdder();
    final LongAdder timedOut = new LongAdder();
    final LongAdder brokenCircuit = new LongAdder();
}
