package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Authority;
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
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A process that wants one seat of a real engine, for the tests that an engine has of its own: it remembers its term and
 * its head, and its verbs wait.
 */
public final class PatientContender implements AutoCloseable {

    public static final SeatId SEAT = SeatId.of("acme", "blocks");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Holder holder;
    private final SeatAuthority seat;
    private final List<SeatEvent> events = new CopyOnWriteArrayList<>();
    private final Authority authority;
    private @Nullable Term term;
    private Head head = Head.GENESIS;

    public PatientContender(String node, Authority authority) {
        this.holder = new Holder(
                new NodeId(node), new Incarnation(ThreadLocalRandom.current().nextLong()));
        this.authority = authority;
        this.seat = authority.seat(SEAT);
    }

    public SeatAuthority seat() {
        return seat;
    }

    /** What the watch has told so far. */
    public List<SeatEvent> events() {
        return events;
    }

    public Term term() {
        return Objects.requireNonNull(term);
    }

    public Head head() {
        return head;
    }

    public Promotion ask(Claim claim) {
        return answer(seat.promote(claim, new Candidate(holder, holder.node() + ":1")));
    }

    /** Asks until it holds the seat. */
    public Promotion.Elected take(Claim claim) {
        Promotion.Elected elected =
                (Promotion.Elected) until("elected", () -> ask(claim), Promotion.Elected.class::isInstance);
        term = elected.seating().term();
        head = elected.head();
        return elected;
    }

    public Entry draft(String payload) {
        return draft(Bytes.utf8(payload));
    }

    public Entry draft(Bytes payload) {
        return Entry.after(head, SEAT, term().epoch(), List.of(), payload);
    }

    public Appended append(Entry entry) {
        return answer(seat.append(term(), entry));
    }

    /** Offers the entry until the engine knows what became of it. */
    public Appended decide(Entry entry) {
        return until(
                entry + " is decided",
                () -> append(entry),
                outcome -> !(outcome instanceof Appended.Indeterminate || outcome instanceof Appended.Unavailable));
    }

    public Entry commit(Entry entry) {
        assertThat(decide(entry)).isInstanceOf(Appended.Committed.class);
        head = entry.asHead();
        return entry;
    }

    public List<Entry> commit(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(commit(draft("entry " + i)));
        }
        return entries;
    }

    public List<Entry> ledger(Height from) {
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

    public Look look() {
        return until("a look", () -> answer(seat.look()), look -> !(look instanceof Look.Unavailable));
    }

    public Ticket ticketFor(PatientContender target) {
        return new Ticket(SEAT, term(), head, target.holder.node(), Duration.ofMinutes(1));
    }

    /** Returns when the watch has told how things are: what happens from then on is told as it happens. */
    public void watch() {
        var unused = seat.watch(events::add);
        awaitEvent(event -> event instanceof SeatEvent.Taken || event instanceof SeatEvent.Vacated);
    }

    public void awaitEvent(Predicate<SeatEvent> wanted) {
        until("an event", () -> events, told -> told.stream().anyMatch(wanted));
    }

    public static Bytes noise(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    public static <T> T until(String what, Supplier<T> question, Predicate<T> wanted) {
        return Awaitility.await(what)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(question::get, wanted);
    }

    public static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        authority.close();
    }
}
