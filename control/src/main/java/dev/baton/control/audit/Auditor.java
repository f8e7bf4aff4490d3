package dev.baton.control.audit;

import dev.baton.control.access.Caller;
import dev.baton.control.access.Doorkeeper;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Writes down what was asked and what came of it, and finds again what was answered. Thread-safe. */
public final class Auditor {

    /** So long an answer waits for its record to reach the ledger; it is on this node's disk in any case. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** So many refusals a second are written one by one; the others are counted, lest somebody fill the book. */
    private static final int REFUSALS_PER_SECOND = 5;

    private static final Duration SUM_AFTER = Duration.ofSeconds(2);

    private final Journal journal;
    private final ControlDuty duty;
    private final Book book;
    private final InstantSource clock;
    private final AtomicLong denied = new AtomicLong();
    private long refusalSecond;
    private int refusalsThisSecond;
    private long uncounted;

    public Auditor(Journal journal, ControlDuty duty, Book book, InstantSource clock) {
        this.journal = journal;
        this.duty = duty;
        this.book = book;
        this.clock = clock;
    }

    /** What is written of a call besides who made it. */
    public record Deed(
            String call,
            String seat,
            String requester,
            String reason,
            String key,
            String outcome,
            String detail,
            long epoch,
            long height,
            String request,
            String answer) {}

    /** Writes down what is about to be done. On this node's disk on return; if it cannot be, nothing may be done. */
    public void begun(Caller caller, Deed deed) throws IOException {
        journal.begin(record(caller, deed));
    }

    /** Writes a deed down and waits a while until the ledger has it. */
    public void done(Caller caller, Deed deed) throws InterruptedException {
        CompletionStage<Boolean> committed = journal.write(record(caller, deed));
        try {
            var unused = committed.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The journal goes on trying.
        }
    }

    /** Writes a deed down. Does not wait. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the record
    public void noted(Caller caller, Deed deed) {
        journal.write(record(caller, deed));
    }

    /** Writes down that nothing was done, and why. Does not wait. */
    public void refused(Caller caller, Deed deed) {
        limited(record(caller, deed));
    }

    /** Writes down that a known caller was refused. */
    public void denied(Caller caller, String call, String why) {
        denied.incrementAndGet();
        limited(record(caller, denial(call, why)));
    }

    /** Writes down that a stranger was refused. */
    public void denied(Doorkeeper.Verdict.Stranger stranger, String call) {
        denied.incrementAndGet();
        limited(ofNoRole(stranger.identity(), stranger.certificate(), stranger.from(), denial(call, stranger.why())));
    }

    private AuditRecord ofNoRole(String identity, String certificate, String from, Deed deed) {
        return new AuditRecord(
                "",
                0,
                clock.instant().toString(),
                identity,
                "",
                certificate,
                "",
                from,
                deed.call(),
                "",
                "",
                "",
                deed.outcome(),
                deed.detail(),
                0,
                0,
                "",
                "");
    }

    private static Deed denial(String call, String why) {
        return new Deed(call, "", "", "", "", "PERMISSION_DENIED", why, 0, 0, "", "");
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the record of a refusal
    private void limited(AuditRecord refusal) {
        long left;
        synchronized (this) {
            long second = clock.millis() / 1000;
            if (second != refusalSecond) {
                refusalSecond = second;
                refusalsThisSecond = 0;
            }
            if (++refusalsThisSecond > REFUSALS_PER_SECOND) {
                uncounted++;
                if (uncounted == 1) { // there may be no next refusal to tell of it
                    CompletableFuture.delayedExecutor(SUM_AFTER.toMillis(), TimeUnit.MILLISECONDS)
                            .execute(this::sumUp);
                }
                return;
            }
            left = uncounted;
            uncounted = 0;
        }
        journal.write(left == 0 ? refusal : summed(refusal, left));
    }

    /** Writes down how many refusals were only counted, if any were. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the record of a refusal
    public void sumUp() {
        long left;
        synchronized (this) {
            left = uncounted;
            uncounted = 0;
        }
        if (left > 0) {
            journal.write(ofNoRole(
                    "", "", "", denial("", left + " refusals before this one came too fast to be written down")));
        }
    }

    private static AuditRecord summed(AuditRecord refusal, long left) {
        return new AuditRecord(
                refusal.node(),
                0,
                refusal.at(),
                refusal.who(),
                refusal.role(),
                refusal.certificate(),
                refusal.requester(),
                refusal.from(),
                refusal.call(),
                refusal.seat(),
                refusal.reason(),
                refusal.key(),
                refusal.outcome(),
                refusal.detail() + " (" + left + " refusals before this one came too fast to be written down)",
                refusal.epoch(),
                refusal.height(),
                refusal.request(),
                refusal.answer());
    }

    private AuditRecord record(Caller caller, Deed deed) {
        return new AuditRecord(
                "",
                0,
                clock.instant().toString(),
                caller.identity(),
                caller.role().word(),
                caller.certificate(),
                deed.requester(),
                caller.from(),
                deed.call(),
                deed.seat(),
                deed.reason(),
                deed.key(),
                deed.outcome(),
                deed.detail(),
                deed.epoch(),
                deed.height(),
                deed.request(),
                deed.answer());
    }

    /** What was answered to the same caller, call and key before, on whichever node. */
    public Optional<AuditRecord> earlier(Caller caller, String call, String key) {
        if (key.isEmpty()) {
            return Optional.empty();
        }
        String scope = AuditRecord.scope(caller.identity(), call, key);
        return duty.answer(scope).or(() -> journal.ownAnswer(scope));
    }

    public long deniedCount() {
        return denied.get();
    }

    public int waitingCount() {
        return journal.waitingCount();
    }

    public Book book() {
        return book;
    }

    public ControlDuty duty() {
        return duty;
    }
}
