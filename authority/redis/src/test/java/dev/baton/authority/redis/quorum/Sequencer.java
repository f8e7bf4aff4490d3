package dev.baton.authority.redis.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** A process that takes the seat and appends, as a driver does: the engine's rider goes with each entry. */
public final class Sequencer {

    private final SeatAuthority seat;
    private final Holder self;
    private Promotion.Elected elected;
    private Head head;

    private Sequencer(SeatAuthority seat, Holder self, Promotion.Elected elected) {
        this.seat = seat;
        this.self = self;
        this.elected = elected;
        this.head = elected.head();
    }

    /** Asks until it is elected. */
    public static Sequencer take(String node, SeatAuthority seat, Claim claim) {
        Holder self = new Holder(
                new NodeId(node), new Incarnation(RandomGenerator.getDefault().nextLong()));
        return new Sequencer(seat, self, electedAs(seat, self, claim));
    }

    public static Sequencer take(String node, SeatAuthority seat) {
        return take(node, seat, new Claim.Vacancy());
    }

    private static Promotion.Elected electedAs(SeatAuthority seat, Holder self, Claim claim) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            Promotion promotion = await(seat.promote(claim, new Candidate(self, self.node() + ":1")));
            if (promotion instanceof Promotion.Elected won) {
                return won;
            }
            assertThat(System.nanoTime() - endNanos)
                    .as("still not elected: %s", promotion)
                    .isNegative();
        }
    }

    public Term term() {
        return elected.seating().term();
    }

    public Seating seating() {
        return elected.seating();
    }

    public Promotion.Elected elected() {
        return elected;
    }

    public Head head() {
        return head;
    }

    public Entry draft(String text) {
        return draft(Bytes.utf8(text));
    }

    public Entry draft(Bytes payload) {
        return Entry.after(
                head, seat.id(), term().epoch(), seat.rider().stream().toList(), payload);
    }

    public Appended offer(Entry entry) {
        Appended appended = await(seat.append(term(), entry));
        if (appended instanceof Appended.Committed committed
                && committed.entry().height().isAbove(head.height())) {
            head = committed.entry().asHead();
        }
        return appended;
    }

    /** Offers the same entry until the engine knows. */
    public Entry commit(Entry entry) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            Appended appended = offer(entry);
            if (appended instanceof Appended.Committed) {
                return entry;
            }
            assertThat(appended).isInstanceOfAny(Appended.Indeterminate.class, Appended.Unavailable.class);
            assertThat(System.nanoTime() - endNanos)
                    .as("still not committed: %s", appended)
                    .isNegative();
        }
    }

    public Entry commit(String text) {
        return commit(draft(text));
    }

    public void commit(int count) {
        for (int i = 0; i < count; i++) {
            commit(self.node() + "/" + i);
        }
    }

    public List<Entry> ledger() {
        return ledger(seat, Height.FIRST);
    }

    public static List<Entry> ledger(SeatAuthority seat, Height from) {
        List<Entry> all = new ArrayList<>();
        Height next = from;
        while (true) {
            Page page = await(seat.read(next, PageLimit.DEFAULT));
            if (page instanceof Page.Trimmed(Height oldest)) {
                next = oldest;
                continue;
            }
            assertThat(page).isInstanceOf(Page.Entries.class);
            List<Entry> entries = ((Page.Entries) page).entries();
            if (entries.isEmpty()) {
                return all;
            }
            all.addAll(entries);
            next = entries.getLast().height().next();
        }
    }

    public void resign() {
        await(seat.resign(term()));
    }

    /** The answer, which must come. */
    public static <R> R await(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }
}
