package dev.baton.duty.tokens;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Era;
import dev.baton.core.timing.Deadlines;
import dev.baton.duty.BrokenInvariantException;
import dev.baton.duty.Tenure;
import dev.baton.duty.TermOverException;
import dev.baton.duty.tokens.state.Batch;
import dev.baton.duty.tokens.state.BatchCodec;
import dev.baton.duty.tokens.state.Decision;
import dev.baton.duty.tokens.state.Drafting;
import dev.baton.duty.tokens.state.Shape;
import dev.baton.duty.tokens.state.TokenState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One term of this node: who waits, what is under way, what is handed out ahead.
 *
 * <p>INV-11: a decision is told only after the entry that carries it is committed. INV-15: a term hands out leased tokens
 * only after it has settled, that is, when no predecessor can be doing so any more.
 */
final class TokenTerm {

    private final Tenure tenure;
    private final TokenSettings settings;
    private final Era era;
    private final String serviceAddress;
    private final LongSupplier nanos;
    private final long settlesAtNanos;
    private final WaitingRoom room;
    private final LeasedDesk desk;
    private final Answers answers;

    /** Ends when all whom the last entry answers are told, with when that was. Duty thread only. */
    private Future<Long> telling;

    /** Duty thread only, as are the two below. */
    private final Company company;

    private long draftedNanos;
    private long tellingSinceNanos;

    /** Duty thread and whoever ends the term; guards the fields below. */
    private final Object lock = new Object();

    private @Nullable UnderWay underWay;
    private List<Waiter.ForTokens> parked = new ArrayList<>();
    private List<Consumer<String>> endListeners = new ArrayList<>();
    private boolean over;

    /**
     * @param settlesAtNanos when, at the latest, every predecessor has stopped
     */
    TokenTerm(
            Tenure tenure,
            TokenSettings settings,
            Era era,
            String serviceAddress,
            LongSupplier nanos,
            long settlesAtNanos,
            Company company,
            Answers answers) {
        this.tenure = tenure;
        this.settings = settings;
        this.era = era;
        this.serviceAddress = serviceAddress;
        this.nanos = nanos;
        this.settlesAtNanos = settlesAtNanos;
        this.company = company;
        this.answers = answers;
        this.tellingSinceNanos = nanos.getAsLong();
        this.telling = CompletableFuture.completedFuture(tellingSinceNanos);
        this.room = new WaitingRoom(settings.maxWaiting(), tenure::requestPulse, answers::notHolder);
        this.desk = new LeasedDesk(tenure, settings.window(), room::wake);
    }

    Tenure tenure() {
        return tenure;
    }

    WaitingRoom room() {
        return room;
    }

    LeasedDesk desk() {
        return desk;
    }

    void whenItEnds(Consumer<String> told) {
        synchronized (lock) {
            if (!over) {
                endListeners.add(told);
                return;
            }
        }
        told.accept("term " + tenure.term() + " is over");
    }

    // Drafting

    /** Takes up all that waits. Made anew without a commit between, it takes up the same again, and what came since. */
    Bytes draft(TokenState state) {
        awaitCompany();
        synchronized (lock) {
            if (over) {
                throw new TermOverException(tenure.term());
            }
            room.draftBegins();
            Drafting drafting = new Drafting(state, settings, era);
            boolean opens = !state.lastTerm().equals(tenure.term().epoch());
            // How the predecessor ended is told by the opening entry, so nothing is known before that.
            boolean settles = !opens && !state.isSettled() && Deadlines.isPast(settlesAtNanos, nanos.getAsLong());
            boolean leases = settles || (!opens && state.isSettled());

            UnderWay before = underWay == null ? new UnderWay() : underWay;
            UnderWay next = new UnderWay();
            takeChanges(before, next, drafting);
            takeRefills(before, next, drafting);
            boolean full = !takeAsks(before, next, drafting, leases);
            next.wishes.values().forEach(wish -> lease(wish, drafting));

            next.payload = BatchCodec.encode(
                    drafting.batch(opens ? new Batch.Opening(serviceAddress, settings.window()) : null, settles));
            underWay = next;
            if (full || !room.isEmpty() || desk.wantsRefill()) {
                room.wake();
            }
            draftedNanos = nanos.getAsLong();
            return next.payload;
        }
    }

    /** Those who were just answered may ask again at once, and then one entry should take up all of them. */
    private void awaitCompany() {
        int expected = company.expected();
        if (expected > 0) {
            company.came(room.await(expected, company.patienceNanos()));
        }
    }

    private void takeChanges(UnderWay before, UnderWay next, Drafting drafting) {
        next.changes.addAll(before.changes);
        next.changes.forEach(waiter -> waiter.decide(drafting));
        while (next.changes.size() < settings.maxBatch() && drafting.hasRoomForMore()) {
            Waiter.ForChange waiter = room.nextForChange();
            if (waiter == null) {
                break;
            }
            next.changes.add(waiter);
            waiter.decide(drafting);
        }
    }

    /** Whether there was room for all who had been taken out of the waiting room before. */
    private boolean takeAsks(UnderWay before, UnderWay next, Drafting drafting, boolean leases) {
        List<Waiter.ForTokens> stillParked = new ArrayList<>();
        boolean full = !decideAll(before.asks, next, drafting, leases, stillParked);
        full |= !decideAll(parked, next, drafting, leases, stillParked);
        while (next.asks.size() < settings.maxBatch() && !drafting.isFull()) {
            Waiter.ForTokens waiter = room.nextForTokens();
            if (waiter == null) {
                break;
            }
            decide(waiter, next, drafting, leases, stillParked);
        }
        parked = stillParked;
        return !full;
    }

    /** Whoever does not get in any more is the first to get into the next entry. */
    private boolean decideAll(
            List<Waiter.ForTokens> waiters,
            UnderWay next,
            Drafting drafting,
            boolean leases,
            List<Waiter.ForTokens> stillParked) {
        boolean all = true;
        for (Waiter.ForTokens waiter : waiters) {
            if (drafting.isFull()) {
                stillParked.add(waiter);
                all = false;
            } else {
                decide(waiter, next, drafting, leases, stillParked);
            }
        }
        return all;
    }

    private void decide(
            Waiter.ForTokens waiter,
            UnderWay next,
            Drafting drafting,
            boolean leases,
            List<Waiter.ForTokens> stillParked) {
        Decision decision = drafting.decide(waiter.ask());
        if (decision instanceof Decision.FromLease(Shape shape)) {
            if (!leases) {
                waiter.decide(decision);
                stillParked.add(waiter);
                return;
            }
            decision = waitForLease(waiter, shape, next, drafting);
        }
        waiter.decide(decision);
        next.asks.add(waiter);
    }

    private Decision waitForLease(Waiter.ForTokens waiter, Shape shape, UnderWay next, Drafting drafting) {
        UnderWay.LeaseWish wish = wishFor(shape, next, drafting);
        long count = waiter.ask().count();
        long available = wish.range.unhanded() + drafting.left(shape) - wish.waitedFor;
        if (count > available) {
            return shape.exhausted(count, available);
        }
        wish.waitedFor += count;
        wish.waiters.add(waiter);
        return new Decision.FromLease(shape);
    }

    private UnderWay.LeaseWish wishFor(Shape shape, UnderWay next, Drafting drafting) {
        return next.wishes.computeIfAbsent(shape.name(), name -> {
            drafting.expectLease();
            LeasedRange open = desk.find(name);
            return new UnderWay.LeaseWish(
                    open == null ? new LeasedRange(shape, drafting.reserved(shape), settings.leasedAhead()) : open);
        });
    }

    /** Those that do not get in wait on; who finds nothing left meanwhile waits for tokens, and they come first. */
    private void takeRefills(UnderWay before, UnderWay next, Drafting drafting) {
        for (UnderWay.LeaseWish wish : before.wishes.values()) {
            LeasedRange open = desk.find(wish.range.shape().name());
            if (open != null) {
                desk.refill(open);
            }
        }
        while (drafting.hasRoomForMore()) {
            LeasedRange range = desk.nextRefill();
            if (range == null) {
                break;
            }
            wishFor(range.shape(), next, drafting);
        }
    }

    private static void lease(UnderWay.LeaseWish wish, Drafting drafting) {
        Shape shape = wish.range.shape();
        long wanted = Math.min(drafting.left(shape), saturatedSum(wish.waitedFor, wish.range.ahead()));
        if (wanted > 0) {
            drafting.lease(shape, wanted, wish.range.unhanded());
            wish.limit += wanted;
        }
    }

    private static long saturatedSum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    // What came of it

    /**
     * The entry is committed and the state knows it: everybody in it is told, and nobody twice if this is repeated.
     *
     * @return whether it carried requests
     */
    boolean released(Entry entry, TokenState state) {
        long committedNanos = nanos.getAsLong();
        awaitTold(); // this entry may have raised the revision, and nobody may see the older one after that
        UnderWay done;
        synchronized (lock) {
            if (over || underWay == null) {
                return false;
            }
            if (!underWay.payload.equals(entry.payload())) {
                throw new BrokenInvariantException(entry + " is not what was drafted");
            }
            done = underWay;
            underWay = null;
        }
        done.changes.forEach(waiter -> applyToDesk(waiter, state));
        List<Waiter.ForTokens> again = new ArrayList<>();
        for (UnderWay.LeaseWish wish : done.wishes.values()) {
            serve(wish, entry, state.revision(), again);
        }
        done.changes.forEach(waiter -> answers.tell(waiter, entry, state));
        List<Waiter.ForTokens> decided = done.asks.stream()
                .filter(waiter -> !(waiter.decision() instanceof Decision.FromLease)) // served already, or wait on
                .toList();
        room.answered(done.changes.size() + done.asks.size() - again.size());
        company.committed(committedNanos - draftedNanos, decided.size(), room.waiting());
        tell(decided, entry, state.revision());
        keep(again);
        wakeIfSomebodyWaits(state);
        return !done.asks.isEmpty() || !done.changes.isEmpty();
    }

    /** Those who wait already get into the next entry meanwhile. */
    private void tell(List<Waiter.ForTokens> decided, Entry entry, long revision) {
        Map<Executor, List<Waiter.ForTokens>> byTeller =
                decided.stream().collect(Collectors.groupingBy(Waiter.ForTokens::teller));
        tellingSinceNanos = nanos.getAsLong();
        telling = CompletableFuture.allOf(byTeller.entrySet().stream()
                        .map(each -> told(
                                each.getKey(),
                                () -> each.getValue().forEach(waiter -> answers.tell(waiter, entry, revision))))
                        .toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> nanos.getAsLong());
    }

    /** A teller that takes nothing more belongs to a listener that is closed: its callers are gone, but must be told. */
    private static CompletableFuture<Void> told(Executor teller, Runnable telling) {
        try {
            return CompletableFuture.runAsync(telling, teller);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.runAsync(telling, Runnable::run);
        }
    }

    /** What went wrong there goes wrong here, too: the term does not go on as if all had been told. */
    private void awaitTold() {
        try {
            company.told(telling.get() - tellingSinceNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TermOverException(tenure.term());
        } catch (ExecutionException e) {
            throw new IllegalStateException("not all could be told of what was committed", e.getCause());
        }
    }

    private void applyToDesk(Waiter.ForChange waiter, TokenState state) {
        if (waiter.change() instanceof Drafting.Change.Made(List<Integer> namespaces)) {
            for (int id : namespaces) {
                desk.freeze(state.shape(id).name(), state.view(id).frozen());
            }
        }
    }

    /** Those who waited are served before the new tokens are open to all, so that nobody starves. */
    private void serve(UnderWay.LeaseWish wish, Entry entry, long revision, List<Waiter.ForTokens> again) {
        for (Waiter.ForTokens waiter : wish.waiters) {
            Answer answer = desk.take(wish.range, waiter.ask(), wish.limit, entry.height(), revision);
            if (answer == null) {
                again.add(waiter);
            } else {
                answers.tell(waiter, answer);
            }
        }
        wish.range.extend(wish.limit, entry.height(), revision);
        desk.open(wish.range);
    }

    private void keep(List<Waiter.ForTokens> again) {
        synchronized (lock) {
            if (!over) {
                parked.addAll(again);
                return;
            }
        }
        again.forEach(answers::notHolder);
    }

    private void wakeIfSomebodyWaits(TokenState state) {
        boolean somebody;
        synchronized (lock) {
            // Until the term has settled, those who are parked wait for the clock and not for an entry.
            somebody = !room.isEmpty() || (!parked.isEmpty() && state.isSettled());
        }
        if (somebody) {
            room.wake();
        }
    }

    /** The term is over: everybody is told, each once. */
    void end(String why) {
        UnderWay unfinished;
        List<Waiter.ForTokens> waiting;
        List<Consumer<String>> listeners;
        synchronized (lock) {
            over = true;
            unfinished = underWay == null ? new UnderWay() : underWay;
            underWay = null;
            waiting = parked;
            parked = new ArrayList<>();
            listeners = endListeners;
            endListeners = new ArrayList<>();
        }
        room.close();
        unfinished.changes.forEach(waiter -> answers.unfinished(waiter, why));
        unfinished.asks.forEach(waiter -> answers.unfinished(waiter, why));
        waiting.forEach(answers::notHolder);
        listeners.forEach(told -> answers.safely(() -> told.accept(why)));
    }
}
