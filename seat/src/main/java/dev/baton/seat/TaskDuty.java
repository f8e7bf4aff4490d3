package dev.baton.seat;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import dev.baton.duty.TermOverException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task as a duty: what it appends are the pulses, and an empty entry is one while it has nothing to say.
 *
 * <p>Its effects are its ledger entries, so it is fenced there. A task that also acts elsewhere checks
 * {@link Tenure#holds} at each act, or passes the epoch on to whatever it acts upon.
 */
final class TaskDuty implements Duty {

    private final Task task;
    private final Consumer<Entry> committed;
    private volatile Height applied = Height.ZERO;
    private final AtomicReference<@Nullable Run> current = new AtomicReference<>();

    TaskDuty(Task task, Consumer<Entry> committed) {
        this.task = task;
        this.committed = committed;
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
        return new Readiness.Ready();
    }

    @Override
    public void apply(List<Entry> entries) {
        entries.forEach(this::saw);
    }

    private void saw(Entry entry) {
        if (entry.height().isAbove(applied)) {
            committed.accept(entry);
            applied = entry.height();
        }
    }

    /** A task keeps no state of its own, so it can begin wherever the ledger does. */
    @Override
    public void catchUp(Height oldest) {
        applied = new Height(oldest.value() - 1);
    }

    @Override
    public void assume(Tenure tenure) {
        Run existing = current.get();
        if (existing == null || !existing.tenure.term().equals(tenure.term())) {
            Run run = new Run(tenure);
            current.set(run);
            run.thread.start();
        }
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        return Draft.of(running().nextPayload());
    }

    @Override
    public void release(Tenure tenure, Entry entry) {
        saw(entry);
        running().committed(entry);
    }

    private Run running() {
        Run run = current.get();
        if (run == null) {
            throw new IllegalStateException("no task runs");
        }
        return run;
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        Run run = current.getAndSet(null);
        if (run != null) {
            run.end();
        }
    }

    @Override
    public void probe() {}

    /** One term's run of the task. */
    private final class Run implements Holding {
        private final Tenure tenure;
        private final Thread thread;
        private final AtomicReference<@Nullable Offer> waiting = new AtomicReference<>();
        private final AtomicReference<@Nullable Offer> offered = new AtomicReference<>();
        private volatile @Nullable Throwable failure;
        private volatile boolean finished;

        private record Offer(Bytes payload, CompletableFuture<Entry> answer) {}

        Run(Tenure tenure) {
            this.tenure = tenure;
            this.thread = Thread.ofPlatform()
                    .daemon()
                    .name("task-" + tenure.seat().seat())
                    .unstarted(this::work);
        }

        private void work() {
            try {
                task.run(this);
            } catch (Throwable e) {
                failure = e;
            } finally {
                finished = true;
            }
        }

        @Override
        public synchronized Entry append(Bytes payload) throws InterruptedException {
            check();
            Offer offer = new Offer(payload, new CompletableFuture<>());
            waiting.set(offer);
            requestPulse();
            if (!holds()) {
                end();
            }
            try {
                return offer.answer().get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException ended) {
                    throw ended;
                }
                throw new IllegalStateException(e.getCause());
            }
        }

        Bytes nextPayload() {
            if (finished) {
                Throwable why = failure;
                throw new IllegalStateException(why == null ? "the task has returned" : "the task failed: " + why);
            }
            Offer offer = waiting.getAndSet(null);
            offered.set(offer);
            return offer == null ? Bytes.EMPTY : offer.payload();
        }

        void committed(Entry entry) {
            Offer offer = offered.getAndSet(null);
            if (offer != null) {
                offer.answer().complete(entry);
            }
        }

        void end() {
            fail(waiting.getAndSet(null), new TermOverException(term()));
            fail(offered.getAndSet(null), new OutcomeUnknownException(term()));
            thread.interrupt();
        }

        private void fail(@Nullable Offer offer, RuntimeException why) {
            if (offer != null) {
                offer.answer().completeExceptionally(why);
            }
        }

        @Override
        public SeatId seat() {
            return tenure.seat();
        }

        @Override
        public Term term() {
            return tenure.term();
        }

        @Override
        public Head head() {
            return tenure.head();
        }

        @Override
        public boolean holds() {
            return tenure.holds();
        }

        @Override
        public Duration timeLeft() {
            return tenure.timeLeft();
        }

        @Override
        public void requestPulse() {
            tenure.requestPulse();
        }
    }
}
