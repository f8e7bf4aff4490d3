package dev.baton.duty.tokens;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.core.timing.Fault;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import dev.baton.duty.TermOverException;
import dev.baton.duty.tokens.state.Spelling;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hands out unique, ordered tokens.
 *
 * <p>INV-12: a token is handed out only if a committed entry covers it, and each entry covers tokens above those of all
 * entries before. Requests in strict namespaces wait for the entry that covers them; one entry takes up all that wait,
 * over all namespaces. Requests in leased namespaces are answered from tokens that were covered ahead.
 */
public final class TokenDuty implements Duty, Tokens {

    private final SeatId seat;
    private final TokenSettings settings;
    private final long predecessorStopsNanos;
    private final LongSupplier nanos;
    private final Supplier<String> serviceAddress;
    private final TokenLedger ledger;
    private final CheckpointWriter checkpoints;
    private final Counters counters = new Counters();
    private final Answers answers = new Answers(counters, this::holderAddress);

    /** Guarded by itself: whether a term begins or ends first must not be left to chance. */
    private final Object terms = new Object();

    private @Nullable Term over;
    private volatile @Nullable TokenTerm current;
    private volatile @Nullable Seating holder;

    private TokenDuty(
            SeatId seat,
            TokenSettings settings,
            long predecessorStopsNanos,
            LongSupplier nanos,
            Supplier<String> serviceAddress) {
        this.seat = seat;
        this.settings = settings;
        this.predecessorStopsNanos = predecessorStopsNanos;
        this.nanos = nanos;
        this.serviceAddress = serviceAddress;
        this.ledger = new TokenLedger(settings.region());
        this.checkpoints = new CheckpointWriter(settings.checkpointEvery());
    }

    /**
     * A duty that knows nothing yet.
     *
     * @param lease how long the engine leaves the seat to a holder that sends nothing
     * @param clockRateBound how much faster one clock may run than another, such as 1.01
     * @param nanos this node's monotonic clock
     * @param serviceAddress where this node serves tokens; asked for when a term begins, and may be empty
     */
    public static TokenDuty of(
            SeatId seat,
            TokenSettings settings,
            Duration lease,
            BigDecimal clockRateBound,
            LongSupplier nanos,
            Supplier<String> serviceAddress) {
        List<Fault> faults = settings.faults("tokens.");
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
        }
        long stopsNanos = BigDecimal.valueOf(lease.toNanos())
                .multiply(clockRateBound)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
        return new TokenDuty(seat, settings, stopsNanos, nanos, serviceAddress);
    }

    // The duty

    @Override
    public Fencing fencing() {
        return Fencing.AT_LEDGER;
    }

    @Override
    public Height applied() {
        return ledger.applied();
    }

    @Override
    public Readiness readiness() {
        return ledger.readiness();
    }

    @Override
    public void apply(List<Entry> entries) {
        entries.forEach(ledger::take);
    }

    /** What lies before {@code oldest} is in a checkpoint, and that is in the ledger. */
    @Override
    public void catchUp(Height oldest) {
        ledger.jumpTo(oldest);
    }

    @Override
    public void holderChanged(Optional<Seating> now) {
        holder = now.orElse(null);
    }

    /** Where the holder serves tokens, if it is another node that has committed where. */
    public Optional<String> holderAddress() {
        Seating now = holder;
        TokenLedger.Served served = ledger.served();
        return now == null
                        || current != null
                        || !now.term().epoch().equals(served.term())
                        || served.address().isEmpty()
                ? Optional.empty()
                : Optional.of(served.address());
    }

    @Override
    public void assume(Tenure tenure) {
        ledger.requireTip(tenure.head());
        checkpoints.startAnew();
        TokenTerm term = new TokenTerm(
                tenure,
                settings,
                seat.era(),
                serviceAddress.get(),
                nanos,
                nanos.getAsLong() + predecessorStopsNanos,
                new Company(Company.MOST_PATIENCE_NANOS),
                answers);
        synchronized (terms) {
            if (tenure.term().equals(over)) {
                throw new TermOverException(tenure.term());
            }
            tenure.check();
            TokenTerm before = current;
            if (before == null || !before.tenure().term().equals(tenure.term())) { // else the call was repeated
                current = term;
            }
        }
    }

    @Override
    public Draft draft(Tenure tenure) {
        tenure.check();
        Head head = tenure.head();
        ledger.requireTip(head);
        Bytes payload = requireTerm(tenure).draft(ledger.state());
        List<Fact> facts = checkpoints.after(head.height(), ledger.lastCovered(), ledger::checkpoint);
        return new Draft(payload, facts);
    }

    /** What is told here concerns a committed entry, so it is as true after the term as before. */
    @Override
    public void release(Tenure tenure, Entry entry) {
        ledger.take(entry);
        checkpoints.committed(entry);
        TokenTerm term = requireTerm(tenure);
        if (term.released(entry, ledger.state())) {
            counters.committed();
        }
    }

    private TokenTerm requireTerm(Tenure tenure) {
        TokenTerm term = current;
        if (term == null || !term.tenure().term().equals(tenure.term())) {
            throw new TermOverException(tenure.term());
        }
        return term;
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        TokenTerm ended;
        synchronized (terms) {
            over = tenure.term();
            TokenTerm term = current;
            ended = term != null && term.tenure().term().equals(tenure.term()) ? term : null;
            if (ended != null) {
                current = null;
            }
        }
        if (ended != null) {
            ended.end(why);
        }
    }

    /** There is nothing but memory that could fail. */
    @Override
    public void probe() {
        if (ledger.readiness() instanceof Readiness.NotReady(String why)) {
            throw new IllegalStateException(why);
        }
    }

    /** The whole state in bytes, which are the same on every node that has followed as far. Duty thread only. */
    Bytes checkpoint() {
        return ledger.checkpoint();
    }

    // The service

    @Override
    public void next(Ask ask, Executor teller, Consumer<Answer> answer) {
        Optional<String> fault = Spelling.requestFault(ask);
        if (fault.isPresent()) {
            refuse(Refusal.INVALID, fault.get(), answer);
            return;
        }
        TokenTerm term = current;
        if (term != null) {
            LeasedRange range = term.desk().find(ask.namespace());
            if (range != null) {
                Answer atOnce = term.desk().answer(range, ask);
                if (atOnce != null) {
                    counters.answered(atOnce, ask.count());
                    answer.accept(atOnce);
                    return;
                }
            }
        }
        Optional<String> misspelt = Spelling.nameFault(ask.namespace());
        if (misspelt.isPresent()) {
            refuse(Refusal.INVALID, misspelt.get(), answer);
        } else if (term == null) {
            answer.accept(new Answer.NotHolder(holderAddress()));
        } else if (!term.room().enter(new Waiter.ForTokens(ask, teller, answer))) {
            refuse(Refusal.OVERLOADED, overload(), answer);
        }
    }

    private void refuse(Refusal reason, String message, Consumer<Answer> answer) {
        counters.refused(reason);
        answer.accept(new Answer.Refused(reason, message));
    }

    private String overload() {
        return settings.maxWaiting() + " requests wait already (expected: to be asked again later)";
    }

    @Override
    public void create(NamespaceSpec wanted, Consumer<Changed> answer) {
        change(new Waiter.ForChange(drafting -> drafting.create(wanted), answer), answer);
    }

    @Override
    public void freeze(String name, boolean frozen, Consumer<Changed> answer) {
        change(new Waiter.ForChange(drafting -> drafting.freeze(name, frozen), answer), answer);
    }

    private void change(Waiter.ForChange waiter, Consumer<Changed> answer) {
        TokenTerm term = current;
        if (term == null) {
            answer.accept(new Changed.NotHolder(holderAddress()));
        } else if (!term.room().enter(waiter)) {
            counters.refused(Refusal.OVERLOADED);
            answer.accept(new Changed.Refused(Refusal.OVERLOADED, overload()));
        }
    }

    @Override
    public List<NamespaceView> namespaces(String prefix) {
        return ledger.ask(state -> state.views(prefix));
    }

    @Override
    public List<NamespaceView> namespaces(String prefix, int limit) {
        return ledger.ask(state -> state.views(prefix, limit));
    }

    @Override
    public int namespaceCount() {
        return ledger.ask(state -> state.namespaceCount());
    }

    @Override
    public Optional<NamespaceView> namespace(String name) {
        return ledger.ask(state -> state.view(name));
    }

    @Override
    public Optional<NamespaceHistory> history(String name) {
        return ledger.ask(state -> state.history(name));
    }

    @Override
    public TokenFigures figures() {
        TokenTerm term = current;
        return counters.now(
                term == null ? 0 : term.room().waiting(),
                ledger.lastCheckpointBytes(),
                ledger.applied().value() - ledger.lastCovered().value());
    }

    @Override
    public void whenTermEnds(Consumer<String> told) {
        TokenTerm term = current;
        if (term == null) {
            told.accept("this node does not hold the seat " + seat);
        } else {
            term.whenItEnds(told);
        }
    }
}
