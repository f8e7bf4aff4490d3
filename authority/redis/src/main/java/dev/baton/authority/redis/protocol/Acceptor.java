package dev.baton.authority.redis.protocol;

import dev.baton.authority.PageLimit;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in one seat: the rules of the scripts, in Java.
 *
 * <p>The scripts are what runs in Redis; this is what they must do. A test drives both with the same asks and compares
 * answers and state, and the simulator runs on this one. It has no clock and no identity of its own: each ask comes
 * with the time and with the run id of the process that takes it. The few rules that can be overridden are there to be
 * broken: the simulator shows that each is needed.
 *
 * <p>INV-1: an epoch below the promised one is refused, whatever it asks. INV-3: an accepted entry is replaced only
 * by one of a higher ballot, and only at the tip. Refusals change nothing.
 */
public class Acceptor {

    private record Admission(MemberId member, String runId, Fsync fsync) {}

    private record Stored(Epoch ballot, Entry entry) {}

    private record Lease(Seating seating, long endsMillis) {}

    private @Nullable Admission admission;
    private Epoch promised = Epoch.NONE;
    private @Nullable Holder promisedTo;
    private Epoch open = Epoch.NONE;
    private Epoch openBefore = Epoch.NONE;
    private Epoch ended = Epoch.NONE;
    private Epoch over = Epoch.NONE;
    private @Nullable MemberSet governing;
    private @Nullable Lease seat;
    private TreeMap<Height, Stored> ledger = new TreeMap<>();

    /** Takes over another one's memory; what happens to one afterwards does not touch the other. */
    public void recall(Acceptor other) {
        admission = other.admission;
        promised = other.promised;
        promisedTo = other.promisedTo;
        open = other.open;
        openBefore = other.openBefore;
        ended = other.ended;
        over = other.over;
        governing = other.governing;
        seat = other.seat;
        ledger = new TreeMap<>(other.ledger);
    }

    public Answer take(Ask ask, long nowMillis, String runId) {
        if (seat != null && seat.endsMillis() <= nowMillis) {
            seat = null;
        }
        return switch (ask) {
            case Ask.OfMember known -> refusal(known.member(), runId).orElseGet(() -> takeAsMember(known, nowMillis));
            case Ask.Recognise recognise -> recognise(recognise, nowMillis, runId);
            case Ask.Admit admit -> admit(admit, runId);
        };
    }

    private Answer takeAsMember(Ask.OfMember ask, long nowMillis) {
        return switch (ask) {
            case Ask.Promote promote -> promote(promote, nowMillis);
            case Ask.Append append -> append(append, nowMillis);
            case Ask.Rebase rebase -> rebase(rebase);
            case Ask.Resign resign -> resign(resign);
            case Ask.Trim trim -> trim(trim);
            case Ask.Peek ignored -> new Answer.Seen(sight(nowMillis));
            case Ask.Range range -> new Answer.Entries(range(range.from(), range.limit()), sight(nowMillis));
        };
    }

    /** Why this node does not answer as that member now, if so. */
    private Optional<Answer> refusal(MemberId member, String runId) {
        if (admission == null) {
            return Optional.of(neverAdmitted());
        }
        if (!admission.member().equals(member)) {
            return Optional.of(new Answer.Other(admission.member()));
        }
        if (admission.runId().equals(runId)) {
            return Optional.empty();
        }
        return Optional.of(forgetful(admission) ? restarted() : new Answer.Unsent("restarted, and not recognised yet"));
    }

    private static Answer neverAdmitted() {
        return new Answer.Blank("never admitted, or its data is lost");
    }

    private static Answer restarted() {
        return new Answer.Blank("restarted without appendfsync always, so it may have forgotten a promise");
    }

    private boolean forgetful(Admission admission) {
        return mayForget(admission.fsync());
    }

    /** Whether a node with this setting may have forgotten something when it has restarted. */
    protected boolean mayForget(Fsync fsync) {
        return fsync != Fsync.ALWAYS;
    }

    /** Whether an entry at the tip gives way to another one. */
    protected boolean givesWay(Epoch accepted, Epoch ballot) {
        return ballot.isAbove(accepted);
    }

    private Answer recognise(Ask.Recognise ask, long nowMillis, String runId) {
        Admission known = admission;
        if (known == null) {
            return neverAdmitted();
        }
        if (!known.runId().equals(runId) && forgetful(known)) {
            return restarted();
        }
        admission = new Admission(known.member(), runId, ask.fsync());
        return new Answer.Seen(sight(nowMillis));
    }

    private Answer admit(Ask.Admit ask, String runId) {
        if (!ask.run().equals(runId)) {
            return new Answer.Unsent("meant for another run of the node's process");
        }
        Admission known = admission;
        boolean blank = known == null || (!known.runId().equals(runId) && forgetful(known));
        if (known != null && !blank) {
            Optional<Epoch> by = ask.seating().map(seating -> seating.term().epoch());
            boolean named = ask.insteadOf().equals(Optional.of(known.member()));
            if (!named || (by.isEmpty() && hasHistory())) {
                return new Answer.Other(known.member());
            }
            if (by.isPresent() && isOver(by.get())) {
                return fenced(); // whoever was replaced does not know who belongs to the set now
            }
        }
        admission = new Admission(ask.member(), runId, ask.fsync());
        promised = ask.seating().map(seating -> seating.term().epoch()).orElse(Epoch.NONE);
        promisedTo = ask.seating().map(seating -> seating.term().holder()).orElse(null);
        open = promised;
        openBefore = Epoch.NONE;
        ended = Epoch.NONE;
        over = Epoch.NONE;
        governing = ask.governing();
        seat = null;
        ledger = new TreeMap<>();
        ask.base().ifPresent(base -> ledger.put(base.height(), new Stored(promised, base)));
        return new Answer.Done();
    }

    private boolean hasHistory() {
        return promised.isAbove(Epoch.NONE) || !ledger.isEmpty();
    }

    private Answer promote(Ask.Promote ask, long nowMillis) {
        Term term = ask.seating().term();
        Epoch epoch = term.epoch();
        boolean renewal =
                seat != null && seat.seating().term().equals(term) && epoch.equals(promised) && epoch.isAbove(over);
        if (!renewal) {
            if (seat != null
                    && !ask.insteadOf().equals(Optional.of(seat.seating().term()))) {
                return new Answer.Held(seat.seating(), left(seat, nowMillis), promised);
            }
            if (!epoch.isAbove(promised)) {
                return new Answer.Stale(promised);
            }
            if (!fits(ask)) {
                return new Answer.Elsewhere(tip());
            }
        }
        Answer granted = new Answer.Granted(sight(nowMillis), tipEntry());
        if (!renewal) {
            openBefore = open;
            open = epoch;
        }
        promise(term);
        sit(ask.seating(), ask.lease(), nowMillis);
        return granted;
    }

    /** INV-9: a ticket is good only while its term and its head are the newest. */
    private boolean fits(Ask.Promote ask) {
        return ask.onlyAt().isEmpty()
                || (ask.onlyAt().get().equals(head())
                        && ask.insteadOf().map(Term::epoch).equals(Optional.of(promised)));
    }

    private Answer append(Ask.Append ask, long nowMillis) {
        Term term = ask.seating().term();
        if (isOver(term.epoch())) {
            return fenced();
        }
        Entry entry = ask.entry();
        Optional<Tip> tip = tip();
        Answer answer = judge(entry, term.epoch());
        switch (answer) {
            case Answer.Accepted ignored -> {
                if (entry.height().isAbove(head().height())) {
                    governing = tip.flatMap(Tip::installs).orElse(governing);
                }
                ledger.put(entry.height(), new Stored(term.epoch(), entry));
            }
            case Answer.Ahead(boolean same, Tip ignored) when same -> {}
            default -> {
                return answer;
            }
        }
        promise(term);
        if (term.epoch().isAbove(open)) {
            open = term.epoch();
        }
        if (ask.lease().isPositive()) {
            sit(ask.seating(), ask.lease(), nowMillis);
        }
        return answer;
    }

    private Answer judge(Entry entry, Epoch ballot) {
        Map.Entry<Height, Stored> last = ledger.lastEntry();
        if (last == null) {
            return entry.follows(Head.GENESIS) ? new Answer.Accepted() : new Answer.Behind(Optional.empty());
        }
        Stored stored = last.getValue();
        int above = entry.height().compareTo(last.getKey());
        if (above > 0) {
            return entry.follows(stored.entry().asHead()) ? new Answer.Accepted() : new Answer.Behind(tip());
        }
        if (above < 0) {
            Stored there = ledger.get(entry.height());
            return new Answer.Ahead(there != null && there.entry().equals(entry), asTip(stored));
        }
        if (stored.entry().equals(entry)) {
            return new Answer.Accepted();
        }
        if (!givesWay(stored.ballot(), ballot)) {
            return new Answer.Ahead(false, asTip(stored));
        }
        return stored.entry().parent().equals(entry.parent()) ? new Answer.Accepted() : new Answer.Behind(tip());
    }

    private Answer rebase(Ask.Rebase ask) {
        Term term = ask.seating().term();
        if (isOver(term.epoch())) {
            return fenced();
        }
        Map.Entry<Height, Stored> last = ledger.lastEntry();
        if (last != null && !last.getKey().isBelow(ask.base().height())) {
            Stored there = ledger.get(ask.base().height());
            return new Answer.Ahead(there != null && there.entry().equals(ask.base()), asTip(last.getValue()));
        }
        ledger = new TreeMap<>(Map.of(ask.base().height(), new Stored(term.epoch(), ask.base())));
        governing = ask.governing();
        promise(term);
        if (term.epoch().isAbove(open)) {
            open = term.epoch();
        }
        return new Answer.Accepted();
    }

    /** Only the promise's own holder ends it: a namesake, or a term that was replaced, changes nothing. */
    private Answer resign(Ask.Resign ask) {
        Term term = ask.term();
        if (term.epoch().equals(promised) && term.holder().equals(promisedTo)) {
            over = promised;
            if (ask.elected()) {
                ended = promised;
            } else if (open.equals(promised)) {
                open = openBefore;
            }
            if (seat != null && seat.seating().term().equals(term)) {
                seat = null;
            }
        }
        return new Answer.Done();
    }

    private Answer trim(Ask.Trim ask) {
        if (isOver(ask.term().epoch())) {
            return fenced();
        }
        Height below = ask.below().isBelow(head().height()) ? ask.below() : head().height();
        ledger.headMap(below, false).clear();
        return new Answer.Trimmed(oldest());
    }

    private List<Entry> range(Height from, PageLimit limit) {
        List<Entry> page = new ArrayList<>();
        long bytes = 0;
        if (!from.isBelow(oldest())) {
            for (Stored stored : ledger.tailMap(from, true).values()) {
                bytes += stored.entry().payload().size();
                if (page.size() == limit.entries() || (bytes > limit.bytes() && !page.isEmpty())) {
                    break;
                }
                page.add(stored.entry());
            }
        }
        return page;
    }

    /** Whether this epoch is refused from now on. */
    protected boolean isOver(Epoch epoch) {
        return promised.isAbove(epoch) || !epoch.isAbove(over);
    }

    private Answer fenced() {
        return new Answer.Fenced(promised);
    }

    private void promise(Term term) {
        promised = term.epoch();
        promisedTo = term.holder();
    }

    private void sit(Seating seating, Duration lease, long nowMillis) {
        seat = new Lease(seating, nowMillis + lease.toMillis());
    }

    private Sight sight(long nowMillis) {
        if (admission == null || governing == null) {
            throw new IllegalStateException("a node that was never admitted has nothing to tell");
        }
        return new Sight(
                admission.member(),
                promised,
                open,
                ended,
                Optional.ofNullable(seat).map(lease -> new Seated(lease.seating(), left(lease, nowMillis))),
                tip(),
                governing,
                oldest());
    }

    /**
     * Everything it remembers, as text and under the names that Redis keeps it by; empty if it was never admitted. For
     * comparing, and for people.
     */
    public SortedMap<String, String> describe() {
        SortedMap<String, String> all = new TreeMap<>();
        if (admission == null) {
            return all;
        }
        all.put("member", admission.member().value());
        all.put("run", admission.runId());
        all.put("fsync", admission.fsync().name());
        all.put("promised", promised.toString());
        all.put("promisedTo", promisedTo == null ? "" : promisedTo.node() + " " + promisedTo.incarnation());
        all.put("open", open.toString());
        all.put("openBefore", openBefore.toString());
        all.put("ended", ended.toString());
        all.put("over", over.toString());
        all.put("governing", String.valueOf(governing));
        all.put("oldest", oldest().toString());
        tip().ifPresent(tip -> {
            all.put("height", tip.height().toString());
            all.put("ballot", tip.ballot().toString());
            all.put("hash", tip.hash().toString());
            all.put("parent", tip.parent().toString());
            all.put("installs", tip.installs().map(MemberSet::toString).orElse(""));
        });
        ledger.forEach((height, stored) -> all.put(
                "ledger " + height + "-" + stored.ballot(),
                stored.entry().hash().toString()));
        if (seat != null) {
            Term term = seat.seating().term();
            all.put(
                    "seat",
                    term.epoch() + " " + term.node() + " " + term.holder().incarnation() + " "
                            + seat.seating().address());
        }
        return all;
    }

    private static Duration left(Lease lease, long nowMillis) {
        return Duration.ofMillis(lease.endsMillis() - nowMillis);
    }

    private Head head() {
        return ledger.isEmpty()
                ? Head.GENESIS
                : ledger.lastEntry().getValue().entry().asHead();
    }

    private Height oldest() {
        return ledger.isEmpty() ? Height.FIRST : ledger.firstKey();
    }

    private Optional<Tip> tip() {
        return Optional.ofNullable(ledger.lastEntry()).map(last -> asTip(last.getValue()));
    }

    private Optional<Entry> tipEntry() {
        return Optional.ofNullable(ledger.lastEntry())
                .map(last -> last.getValue().entry());
    }

    private static Tip asTip(Stored stored) {
        Entry entry = stored.entry();
        return new Tip(entry.height(), stored.ballot(), entry.hash(), entry.parent(), MemberSet.installedBy(entry));
    }
}
