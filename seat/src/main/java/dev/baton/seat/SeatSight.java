package dev.baton.seat;

import dev.baton.authority.Look;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Ending;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Duty;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a node sees of its seat: who holds it, how far the ledger goes, and whether the own duty could lead.
 *
 * <p>Events make it fast, looking makes it true. Only news becomes an input. Runs on the driver's loop, but for
 * {@link #heard}.
 */
final class SeatSight {

    private final SeatParts parts;
    private final Duty duty;
    private final Loop loop;
    private final LedgerFeed feed;
    private final SeatEngine engine;
    private final Consumer<Input> inputs;
    private final Consumer<String> problem;
    private final AtomicReference<@Nullable Head> unheardHead = new AtomicReference<>();
    private @Nullable Seating holder;
    private Readiness readiness = new Readiness.NotReady("starting");
    private boolean hasLooked;
    private long headSeenNanos;
    private long ownTerms;

    SeatSight(
            SeatParts parts,
            Loop loop,
            LedgerFeed feed,
            SeatEngine engine,
            Consumer<Input> inputs,
            Consumer<String> problem) {
        this.parts = parts;
        this.duty = parts.duty();
        this.loop = loop;
        this.feed = feed;
        this.engine = engine;
        this.inputs = inputs;
        this.problem = problem;
        this.headSeenNanos = loop.nanos();
    }

    @Nullable
    Seating holder() {
        return holder;
    }

    Readiness readiness() {
        return readiness;
    }

    long headSeenNanos() {
        return headSeenNanos;
    }

    /** Takes an event in, from any thread. */
    void heard(SeatEvent event) {
        switch (event) {
            case SeatEvent.Taken(Seating seating) -> loop.post(() -> taken(seating));
            case SeatEvent.Vacated(Ending how) -> loop.post(() -> vacated(how));
            case SeatEvent.Missed(String why) -> loop.post(this::look);
            case SeatEvent.Advanced(Head head) -> {
                if (unheardHead.getAndSet(head) == null) { // heads may come fast: the last one counts
                    loop.post(this::takeUnheardHead);
                }
            }
        }
    }

    private void takeUnheardHead() {
        Head head = unheardHead.getAndSet(null);
        if (head != null) {
            advanced(head);
        }
    }

    void look() {
        long ownTermsBefore = ownTerms;
        engine.look(look -> {
            if (ownTerms != ownTermsBefore) {
                return; // it tells of the time before this node's own term
            }
            switch (look) {
                case Look.Held(Seating by, Head head, Height oldest) -> {
                    taken(by);
                    advanced(head);
                }
                case Look.Vacant(Ending lastEnded, Head head, Height oldest) -> {
                    advanced(head);
                    vacated(lastEnded);
                }
                case Look.Unavailable(String why) -> problem.accept("the engine cannot be asked: " + why);
            }
        });
    }

    void taken(Seating seating) {
        hasLooked = true;
        if (holder == null || !holder.term().equals(seating.term())) {
            seen(seating);
            inputs.accept(new Input.SeatTaken(seating, loop.nanos()));
        }
        refreshReadiness();
    }

    private void vacated(Ending how) {
        hasLooked = true;
        seen(null);
        refreshReadiness();
        inputs.accept(new Input.SeatVacated(how, loop.nanos()));
    }

    private void advanced(Head head) {
        hasLooked = true;
        if (noteHead(head)) {
            inputs.accept(new Input.HeadAdvanced(head, loop.nanos()));
        }
        feed.pump();
        refreshReadiness();
    }

    /** This node holds the seat itself. */
    void own(Seating seating) {
        ownTerms++;
        seen(seating);
    }

    /** Takes note of a head that was learnt in another way; whether it is news. */
    boolean noteHead(Head head) {
        boolean news = feed.heard(head);
        if (news) {
            headSeenNanos = loop.nanos();
        }
        return news;
    }

    private void seen(@Nullable Seating seating) {
        holder = seating;
        boolean own =
                seating != null && seating.term().holder().equals(parts.self().holder());
        if (!own) {
            duty.holderChanged(Optional.ofNullable(seating));
        }
    }

    /** Ready means: the duty says so, the engine has been heard, and the duty is not far behind what was heard. */
    void refreshReadiness() {
        long lag = feed.known().height().value() - duty.applied().value();
        Readiness now = duty.readiness();
        if (now.isReady() && !hasLooked) {
            now = new Readiness.NotReady("nothing heard from the engine yet");
        } else if (now.isReady() && lag > parts.maxLag()) {
            now = new Readiness.NotReady(lag + " entries behind the head " + feed.known());
        }
        if (!now.equals(readiness)) {
            readiness = now;
            inputs.accept(new Input.ReadinessChanged(now, loop.nanos()));
        }
    }
}
