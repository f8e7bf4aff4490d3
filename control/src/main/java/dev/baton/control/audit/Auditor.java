package dev.baton.control.audit;

import dev.baton.control.access.Caller;
import dev.baton.control.access.Doorkeeper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Writes down what was asked and what came of it, and finds again what was answered. Thread-safe. */
public final class Auditor {

    /** So long an answer waits for its record to reach the ledger; it is on this node's disk in any case. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** So many denials a second are written one by one; the others are counted, lest strangers fill the book. */
    private static final int DENIALS_PER_SECOND = 5;

    private final Journal journal;
    private final ControlDuty duty;
    private final Book book;
    private final InstantSource clock;
    private final AtomicLong denied = new AtomicLong();
    private long denialSecond;
    private int denialsThisSecond;
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

    /** Writes a deed down and waits a while until the ledger has it. */
    public void done(Caller caller, Deed deed) throws InterruptedException {
        CompletionStage<Boolean> committed = journal.write(record(caller, deed));
        try {
            var unused = committed.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The journal goes on trying.
        }
    }

    /** Writes down that a known caller was refused. */
    public void denied(Caller caller, String call, String why) {
        refused(record(caller, denial(call, why)));
    }

    /** Writes down that a stranger was refused. */
    public void denied(Doorkeeper.Verdict.Stranger stranger, String call) {
        Deed deed = denial(call, stranger.why());
        refused(new AuditRecord(
                "",
                0,
                clock.instant().toString(),
                stranger.identity(),
                "",
                stranger.certificate(),
                "",
                stranger.from(),
                deed.call(),
                "",
                "",
                "",
                deed.outcome(),
                deed.detail(),
                0,
                0,
                "",
                ""));
    }

    private static Deed denial(String call, String why) {
        return new Deed(call, "", "", "", "", "PERMISSION_DENIED", why, 0, 0, "", "");
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the record of a denial
    private void refused(AuditRecord denial) {
        denied.incrementAndGet();
        long left;
        synchronized (this) {
            long second = clock.millis() / 1000;
            if (second != denialSecond) {
                denialSecond = second;
                denialsThisSecond = 0;
            }
            if (++denialsThisSecond > DENIALS_PER_SECOND) {
                uncounted++;
                return;
            }
            left = uncounted;
            uncounted = 0;
        }
        journal.write(left == 0 ? denial : summed(denial, left));
    }

    private static AuditRecord summed(AuditRecord denial, long left) {
        return new AuditRecord(
                denial.node(),
                0,
                denial.at(),
                denial.who(),
                denial.role(),
                denial.certificate(),
                denial.requester(),
                denial.from(),
                denial.call(),
                denial.seat(),
                denial.reason(),
                denial.key(),
                denial.outcome(),
                denial.detail() + " (" + left + " denials before this one came too fast to be written down)",
                denial.epoch(),
                denial.height(),
                denial.request(),
                denial.answer());
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
