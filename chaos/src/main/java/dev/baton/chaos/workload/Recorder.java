package dev.baton.chaos.workload;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.JournalWriter;
import dev.baton.chaos.history.Request;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The harness' clock and its journal: everybody who sees something writes it down here. Thread-safe. */
public final class Recorder {

    private final JournalWriter journal;
    private final long beganNanos = System.nanoTime();
    private final AtomicLong ops = new AtomicLong();
    private final AtomicLong highest = new AtomicLong();
    private final AtomicLong signs = new AtomicLong();
    private final Map<Answer.Outcome, AtomicInteger> outcomes = new EnumMap<>(Answer.Outcome.class);

    public Recorder(JournalWriter journal) {
        this.journal = journal;
        for (Answer.Outcome each : Answer.Outcome.values()) {
            outcomes.put(each, new AtomicInteger());
        }
    }

    /** The time since the run began. */
    public long nowNanos() {
        return System.nanoTime() - beganNanos;
    }

    public void append(Event event) {
        if (event instanceof Event.BlockSeen seen) {
            reached(seen.block().height());
        }
        journal.append(event);
    }

    private void reached(long height) {
        if (highest.getAndAccumulate(height, Math::max) < height) {
            signs.incrementAndGet();
        }
    }

    /** Writes down that a client asks; call it before the request leaves. */
    long invoked(String client, String node, Request request) {
        long op = ops.incrementAndGet();
        journal.append(new Event.Invoked(nowNanos(), op, client, node, request));
        return op;
    }

    /** Writes down how it ended; call it after the answer came. */
    void answered(long op, Answer answer) {
        journal.append(new Event.Answered(nowNanos(), op, answer));
        counter(answer.outcome()).incrementAndGet();
        switch (answer) {
            case Answer.Included included -> reached(included.height());
            case Answer.Issued issued -> reached(issued.height());
            case Answer.Pooled pooled -> {}
            case Answer.Written written -> signs.incrementAndGet();
            case Answer.Recorded recorded -> reached(recorded.number());
            case Answer.Made made -> {}
            case Answer.Refused refused -> {}
            case Answer.Unknown unknown -> {}
        }
    }

    /** How many operations ended so. */
    public int count(Answer.Outcome outcome) {
        return counter(outcome).get();
    }

    private AtomicInteger counter(Answer.Outcome outcome) {
        return Objects.requireNonNull(outcomes.get(outcome));
    }

    /** How often something new was seen committed. */
    public long signs() {
        return signs.get();
    }

    /** The highest height that anybody saw. */
    public long height() {
        return highest.get();
    }
}
