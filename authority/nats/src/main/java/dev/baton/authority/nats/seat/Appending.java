package dev.baton.authority.nats.seat;

import dev.baton.authority.Appended;
import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.LedgerRule;
import dev.baton.core.Term;
import org.jspecify.annotations.Nullable;

/**
 * One entry's way into the ledger: one publish on top of the holder's own last message, which is the commit and the
 * sign of life in one.
 *
 * <p>What is known of the seat is enough for that: if it is out of date, JetStream says so, and then a look tells why.
 * INV-6: the reported send is that of the publish; every observer sees the message later than it was sent.
 */
final class Appending {

    private static final int ROUNDS = 4;

    private final SeatView view;
    private final Term term;
    private final Entry entry;
    private final Bound by;

    Appending(SeatView view, Term term, Entry entry) {
        this.view = view;
        this.term = term;
        this.entry = entry;
        this.by = view.bound();
    }

    Appended run() {
        Sight sight = view.knowledge().sight();
        boolean fresh = false;
        for (int round = 0; round < ROUNDS; round++) {
            boolean mayWrite = sight.isHeldBy(term)
                    && LedgerRule.relate(entry, sight.state().head()) == LedgerRule.NEXT;
            if (fresh || mayWrite) {
                Appended outcome = decide(sight);
                if (outcome != null) {
                    return outcome;
                }
            }
            Reply<Observation> reply = view.refresh(by);
            if (!(reply instanceof Reply.Got<Observation> got)) {
                return new Appended.Unavailable(Reply.trouble(reply));
            }
            sight = got.value().sight();
            fresh = true;
        }
        return new Appended.Unavailable(view.id() + " changes while " + entry + " is offered");
    }

    /** Null if the stream had moved on; then a look tells what it means. */
    private @Nullable Appended decide(Sight sight) {
        SeatState state = sight.state();
        if (!sight.isHeldBy(term)) {
            return new Appended.Fenced(state.fencing(term));
        }
        return switch (LedgerRule.relate(entry, state.head())) {
            case NEXT ->
                committed(view.write(
                        sight,
                        SeatMessage.Kind.APPENDED,
                        state.appended(entry, sight.tip() + 1),
                        EntryCodec.encode(entry),
                        by));
            case SAME_AS_HEAD -> renewed(sight);
            case BELOW -> below(sight);
            case GAP -> conflict(state, "leaves a gap after head " + state.head());
            case OTHER_PARENT ->
                conflict(state, "parent " + entry.parent().toShortString() + " (expected: " + state.head() + ")");
        };
    }

    private @Nullable Appended below(Sight sight) {
        SeatState state = sight.state();
        if (entry.height().isBelow(state.oldest())) {
            return conflict(state, "trimmed (the ledger begins at " + state.oldest() + ")");
        }
        Reply<SeatMessage> found = new Locating(view, by).find(entry.height(), sight);
        if (!(found instanceof Reply.Got<SeatMessage> got)) {
            return new Appended.Unavailable(Reply.trouble(found));
        }
        Entry there = got.value().entry(view.id());
        return there.equals(entry) ? renewed(sight) : conflict(state, "another stands there: " + there);
    }

    /** The entry stands there already. {@code Committed} also means that the seat was kept, so it is. */
    private @Nullable Appended renewed(Sight sight) {
        return committed(view.write(sight, SeatMessage.Kind.RENEWED, sight.state(), by));
    }

    private @Nullable Appended committed(Published outcome) {
        return switch (outcome) {
            case Published.Landed(SeatMessage ignored, long sentNanos) -> new Appended.Committed(entry, sentNanos);
            case Published.Beaten() -> null;
            case Published.Unsent(String why) -> new Appended.Unavailable(sized(why));
            case Published.Unknown(String why) -> new Appended.Indeterminate(why);
        };
    }

    private String sized(String why) {
        return why.contains("size") || why.contains("payload")
                ? why + ": " + entry + " with a payload of " + entry.payload().size()
                        + " bytes (expected: with its headers less than max_payload of nats-server)"
                : why;
    }

    private Appended conflict(SeatState now, String why) {
        return new Appended.Conflict(now.head(), entry + ": " + why);
    }
}
