package dev.baton.authority.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A process that wants a seat in a real stream, with verbs that wait. */
final class Contender implements AutoCloseable {

    static final SeatId SEAT = SeatId.of("acme", "blocks");
    static final Duration PATIENCE = Duration.ofSeconds(90);

    final Holder holder;
    final SeatAuthority seat;
    final List<SeatEvent> events = new CopyOnWriteArrayList<>();

    private final NatsAuthority authority;
    private @Nullable Term term;
    private Head head = Head.GENESIS;

    Contender(String node, NatsSettings settings) {
        this.holder = new Holder(
                new NodeId(node), new Incarnation(ThreadLocalRandom.current().nextLong()));
        this.authority = NatsAuthority.openUnchecked(settings);
        this.seat = authority.seat(SEAT);
    }

    Term term() {
        return java.util.Objects.requireNonNull(term);
    }

    Head head() {
        return head;
    }

    Promotion ask(Claim claim) {
        return answer(seat.promote(claim, new Candidate(holder, holder.node() + ":1")));
    }

    /** Asks until it holds the seat. */
    Promotion.Elected take(Claim claim) {
        Promotion.Elected elected =
                (Promotion.Elected) until("elected", () -> ask(claim), Promotion.Elected.class::isInstance);
        term = elected.seating().term();
        head = elected.head();
        return elected;
    }

    Entry draft(String payload) {
        return draft(Bytes.utf8(payload));
    }

    Entry draft(Bytes payload) {
        return Entry.after(head, SEAT, term().epoch(), List.of(), payload);
    }

    Appended append(Entry entry) {
        return answer(seat.append(term(), entry));
    }

    /** Offers the entry until NATS knows what became of it. */
    Appended decide(Entry entry) {
        return until(
                entry + " is decided",
                () -> append(entry),
                outcome -> !(outcome instanceof Appended.Indeterminate || outcome instanceof Appended.Unavailable));
    }

    Entry commit(Entry entry) {
        assertThat(decide(entry)).isInstanceOf(Appended.Committed.class);
        head = entry.asHead();
        return entry;
    }

    List<Entry> commit(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(commit(draft("entry " + i)));
        }
        return entries;
    }

    List<Entry> ledger(Height from) {
        List<Entry> all = new ArrayList<>();
        Height next = from;
        while (true) {
            Height at = next;
            Page page = until(
                    "a page",
                    () -> answer(seat.read(at, PageLimit.DEFAULT)),
                    outcome -> !(outcome instanceof Page.Unavailable));
            assertThat(page).isInstanceOf(Page.Entries.class);
            List<Entry> entries = ((Page.Entries) page).entries();
            if (entries.isEmpty()) {
                return all;
            }
            all.addAll(entries);
            next = entries.getLast().height().next();
        }
    }

    Look look() {
        return until("a look", () -> answer(seat.look()), look -> !(look instanceof Look.Unavailable));
    }

    Ticket ticketFor(Contender target) {
        return new Ticket(SEAT, term(), head, target.holder.node(), Duration.ofMinutes(1));
    }

    void watch() {
        var unused = seat.watch(events::add);
    }

    void awaitEvent(Predicate<SeatEvent> wanted) {
        until("an event", () -> events, told -> told.stream().anyMatch(wanted));
    }

    static Bytes noise(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    static <T> T until(String what, Supplier<T> question, Predicate<T> wanted) {
        return Awaitility.await(what)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(question::get, wanted);
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        authority.close();
    }
}
