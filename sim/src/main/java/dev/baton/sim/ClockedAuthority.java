package dev.baton.sim;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Term;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** An engine as a process with a clock of its own sees it: send times are on that clock. */
class ClockedAuthority extends DecoratedAuthority {

    private final LongSupplier nanos;

    ClockedAuthority(SeatAuthority engine, LongSupplier nanos) {
        super(engine);
        this.nanos = nanos;
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        long sentNanos = nanos.getAsLong();
        return super.promote(claim, candidate)
                .thenApply(promotion -> promotion instanceof Promotion.Elected elected
                        ? new Promotion.Elected(
                                elected.seating(), elected.head(), elected.predecessorEnded(), sentNanos)
                        : promotion);
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        long sentNanos = nanos.getAsLong();
        return super.append(term, entry)
                .thenApply(appended -> appended instanceof Appended.Committed committed
                        ? new Appended.Committed(committed.entry(), sentNanos)
                        : appended);
    }
}
