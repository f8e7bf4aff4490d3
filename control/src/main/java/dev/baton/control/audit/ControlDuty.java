package dev.baton.control.audit;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.BrokenInvariantException;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The duty of the seat "control": its holder commits the records of all nodes, and every node writes them into its book.
 *
 * <p>An entry's payload is its records, a line each; one without any is a mere pulse.
 */
public final class ControlDuty implements Duty {

    private static final int CHECKPOINT_EVERY = 512;
    private static final int MOST_RECORDS = 64;

    private final Book book;
    private final Deque<Submission> waiting = new ArrayDeque<>();
    private final List<Submission> offered = new ArrayList<>();
    private ControlState state = new ControlState();
    private boolean blind;
    private @Nullable Tenure tenure;
    private Height covered = Height.ZERO;
    private volatile Height applied = Height.ZERO;
    private volatile String notReady = "";

    private record Submission(List<String> records, CompletableFuture<Boolean> committed) {}

    public ControlDuty(Book book) {
        this.book = book;
    }

    // From any thread

    /** Offers records to the ledger; the stage says whether they are committed. Only the holder can. */
    public synchronized CompletionStage<Boolean> submit(List<String> records) {
        Tenure now = tenure;
        if (now == null || !now.holds()) {
            return CompletableFuture.completedStage(false);
        }
        Submission submission = new Submission(List.copyOf(records), new CompletableFuture<>());
        waiting.addLast(submission);
        now.requestPulse();
        return submission.committed();
    }

    /** The first answer that was given to this scope, as far as this node has followed the ledger. */
    public Optional<AuditRecord> answer(String scope) {
        return ask(now -> now.answer(scope));
    }

    public long count() {
        return ask(ControlState::count);
    }

    public String tip() {
        return ask(ControlState::tip);
    }

    private synchronized <R> R ask(Function<ControlState, R> question) {
        return question.apply(state);
    }

    @Override
    public Fencing fencing() {
        return Fencing.AT_LEDGER;
    }

    @Override
    public Height applied() {
        return applied;
    }

    @Override
    public Readiness readiness() {
        return notReady.isEmpty() ? new Readiness.Ready() : new Readiness.NotReady(notReady);
    }

    // On the duty thread

    @Override
    public synchronized void apply(List<Entry> entries) throws IOException {
        for (Entry entry : entries) {
            take(entry);
        }
    }

    private void take(Entry entry) throws IOException {
        if (!entry.height().isAbove(applied)) {
            return;
        }
        if (!entry.height().equals(applied.next())) {
            throw new BrokenInvariantException(entry + " after height " + applied + " (expected: the next one)");
        }
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Checkpoint checkpoint) {
                covered = checkpoint.covers();
                if (blind) {
                    restore(checkpoint);
                }
            }
        }
        if (!blind) {
            for (String record : records(entry.payload())) {
                Optional<ChainedLine> line = state.apply(record);
                if (line.isPresent()) {
                    book.take(line.get());
                }
            }
        }
        applied = entry.height();
    }

    private void restore(Fact.Checkpoint checkpoint) throws IOException {
        state = ControlState.decode(checkpoint.state());
        for (ChainedLine line : state.recent()) {
            book.take(line);
        }
        book.compare(state.count(), state.tip());
        blind = false;
        notReady = "";
    }

    private static List<String> records(Bytes payload) {
        return payload.isEmpty() ? List.of() : Arrays.asList(payload.toUtf8().split("\n"));
    }

    /** Whatever lies before the oldest entry is in the checkpoint that follows. */
    @Override
    public synchronized void catchUp(Height oldest) {
        if (oldest.isAbove(applied.next())) {
            blind = true;
            notReady = "the ledger begins at " + oldest + ", and no checkpoint has been read yet";
            applied = new Height(oldest.value() - 1);
        }
    }

    @Override
    public synchronized void assume(Tenure term) {
        tenure = term;
    }

    @Override
    public synchronized Draft draft(Tenure term) {
        // Asked anew, the last draft was never offered to the engine (INV-5): what it held must not count as committed.
        offered.reversed().forEach(waiting::addFirst);
        offered.clear();
        StringBuilder payload = new StringBuilder();
        int lines = 0;
        while (!waiting.isEmpty() && lines < MOST_RECORDS) {
            Submission next = waiting.removeFirst();
            next.records().forEach(record -> payload.append(record).append('\n'));
            lines += next.records().size();
            offered.add(next);
        }
        boolean due = applied.value() - covered.value() >= CHECKPOINT_EVERY;
        List<Fact> facts = due ? List.of(new Fact.Checkpoint(applied, 1, 1, state.encode())) : List.of();
        return new Draft(Bytes.utf8(payload.toString()), facts);
    }

    @Override
    public synchronized void release(Tenure term, Entry entry) throws IOException {
        take(entry);
        offered.forEach(submission -> submission.committed().complete(true));
        offered.clear();
        if (!waiting.isEmpty()) {
            term.requestPulse();
        }
    }

    @Override
    public void relinquish(Tenure term, String why) {
        List<Submission> lost = new ArrayList<>();
        synchronized (this) {
            tenure = null;
            lost.addAll(waiting);
            lost.addAll(offered);
            waiting.clear();
            offered.clear();
        }
        lost.forEach(submission -> submission.committed().complete(false));
    }

    @Override
    public void probe() {}
}
