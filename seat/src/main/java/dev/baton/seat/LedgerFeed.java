package dev.baton.seat;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.duty.Duty;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the ledger to a duty that does not write it. All methods run on the driver's loop.
 *
 * <p>It rests while this node's own term runs: then the duty learns of entries by releasing them.
 */
final class LedgerFeed {

    /** Someone who waits for the duty to reach a height. */
    private record Waiter(Height height, Runnable reached, Consumer<String> failed) {}

    private final SeatAuthority authority;
    private final Duty duty;
    private final Loop loop;
    private final DutyCalls calls;
    private final Consumer<Entry> applied;
    private final Consumer<String> problem;
    private Head known = Head.GENESIS;
    private boolean busy;
    private boolean resting;
    private @Nullable Waiter waiter;

    LedgerFeed(
            SeatAuthority authority,
            Duty duty,
            Loop loop,
            DutyCalls calls,
            Consumer<Entry> applied,
            Consumer<String> problem) {
        this.authority = authority;
        this.duty = duty;
        this.loop = loop;
        this.calls = calls;
        this.applied = applied;
        this.problem = problem;
    }

    /** The furthest head that this node has heard of. */
    Head known() {
        return known;
    }

    /** Takes note of a head; whether it is news. */
    boolean heard(Head head) {
        boolean news = head.height().isAbove(known.height());
        if (news) {
            known = head;
        }
        return news;
    }

    /** Stops feeding until {@link #resume}; what is under way still ends. */
    void rest() {
        resting = true;
    }

    void resume() {
        resting = false;
        waiter = null;
        pump();
    }

    /** Feeds until the duty has applied this head, then rests and says so. */
    void catchUp(Head head, Runnable reached, Consumer<String> failed) {
        heard(head);
        resting = false;
        waiter = new Waiter(head.height(), reached, failed);
        pump();
    }

    /** Reads on, if there may be something to read and nothing is under way. */
    void pump() {
        if (busy || resting) {
            return;
        }
        if (waiter != null && !duty.applied().isBelow(waiter.height())) {
            Runnable reached = waiter.reached();
            waiter = null;
            resting = true;
            reached.run();
            return;
        }
        if (!duty.applied().isBelow(known.height())) {
            return;
        }
        busy = true;
        authority
                .read(duty.applied().next(), PageLimit.DEFAULT)
                .whenComplete((page, defect) -> loop.post(() -> {
                    if (defect == null) {
                        take(page);
                    } else {
                        failed("the ledger cannot be read: " + defect);
                    }
                }));
    }

    private void take(Page page) {
        switch (page) {
            case Page.Entries(List<Entry> entries, Head head) -> {
                heard(head);
                if (entries.isEmpty()) {
                    busy = false; // the engine's copy lags behind; the next event or poll tries again
                    return;
                }
                calls.call(
                        () -> {
                            duty.apply(entries);
                            return entries;
                        },
                        done -> {
                            done.forEach(applied);
                            goOn();
                        },
                        failure -> failed("entries from " + entries.getFirst().height() + " cannot be applied: "
                                + DutyCalls.describe(failure)));
            }
            case Page.Trimmed(Height oldest) ->
                calls.call(
                        () -> {
                            duty.catchUp(oldest);
                            return oldest;
                        },
                        done -> goOn(),
                        failure -> failed("the ledger begins at " + oldest + ", and what lies before cannot be had: "
                                + DutyCalls.describe(failure)));
            case Page.Unavailable(String why) -> failed("the ledger cannot be read: " + why);
        }
    }

    private void goOn() {
        busy = false;
        pump();
    }

    private void failed(String why) {
        busy = false;
        problem.accept(why);
        if (waiter != null) {
            Consumer<String> failed = waiter.failed();
            waiter = null;
            failed.accept(why);
        }
    }
}
