package dev.baton.duty.tokens;

import dev.baton.core.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the entry under way will bring to whom. Taken as a whole, by whoever learns first what came of the entry. */
final class UnderWay {

    /** A range of a leased namespace that the entry commits ahead, and those who wait for it. */
    static final class LeaseWish {
        final LeasedRange range;
        final List<Waiter.ForTokens> waiters = new ArrayList<>();
        long waitedFor;
        long limit;

        LeaseWish(LeasedRange range) {
            this.range = range;
            this.limit = range.cover().limit();
        }
    }

    final List<Waiter.ForChange> changes = new ArrayList<>();
    final List<Waiter.ForTokens> asks = new ArrayList<>();
    final Map<String, LeaseWish> wishes = new LinkedHashMap<>();
    Bytes payload = Bytes.EMPTY;
}
