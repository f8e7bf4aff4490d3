package dev.baton.authority.nats.seat;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.authority.nats.wire.Servers;
import dev.baton.core.Head;
import dev.baton.core.Seating;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells one listener of every change of a seat.
 *
 * <p>It asks again and again: that is the truth. A writer's hint only makes it ask at once. It follows the stream message
 * by message, so that nothing is skipped; where it has fallen too far behind, the listener hears {@code Missed} and then
 * the present state. All of it happens on one thread.
 */
final class SeatWatch implements SeatAuthority.Watch {

    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofMillis(250);

    /** How far behind is too far. */
    private static final long MOST_STEPS = 256;

    private final SeatView view;
    private final Consumer<SeatEvent> listener;
    private final Consumer<SeatWatch> forget;
    private final Semaphore wake = new Semaphore(0);
    private final Duration poll;
    private volatile boolean closed;

    // From here on: only touched by the one thread.
    private @Nullable Sight told;
    private Optional<Seating> toldSeating = Optional.empty();
    private boolean missed;

    SeatWatch(SeatView view, Consumer<SeatEvent> listener, Consumer<SeatWatch> forget) {
        this.view = view;
        this.listener = listener;
        this.forget = forget;
        Duration share = view.knowledge().policy().takeoverDelay().dividedBy(20);
        this.poll = share.compareTo(SHORTEST_POLL) < 0
                ? SHORTEST_POLL
                : share.compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : share;
    }

    void start() {
        Servers.inTheBackground(this::run);
    }

    /** There may be something new. */
    void hint() {
        wake.release();
    }

    private void run() {
        while (!closed) {
            wake.drainPermits();
            switch (view.refresh(view.bound())) {
                case Reply.Got<Observation> got -> observe(got.value());
                case Reply.Refused<Observation> refused -> miss(refused.why());
                case Reply.Unsent<Observation> unsent -> miss(unsent.why());
                case Reply.Lost<Observation> lost -> miss(lost.why());
            }
            await();
        }
    }

    private void await() {
        try {
            long waitNanos = view.knowledge()
                    .newest()
                    .map(seen -> seen.untilStale(view.knowledge().policy(), System.nanoTime()))
                    .filter(left -> left.isPositive() && left.compareTo(poll) < 0)
                    .orElse(poll)
                    .toNanos();
            wake.tryAcquire(waitNanos + 1, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void tell(SeatEvent event) {
        if (!closed) {
            listener.accept(event);
        }
    }

    /** Said once, however long it lasts. */
    private void miss(String why) {
        if (!missed) {
            missed = true;
            tell(new SeatEvent.Missed(why));
        }
    }

    private void observe(Observation now) {
        Sight before = told;
        if (before != null && !missed && !follow(before, now.sight())) {
            miss("the stream moved on faster than it could be followed");
        }
        if (before == null || missed) {
            missed = false;
            toldSeating = now.seating(view.knowledge().policy());
            tell(now.asEvent(view.knowledge().policy()));
            Head head = now.sight().state().head();
            if (!head.isGenesis()) {
                tell(new SeatEvent.Advanced(head));
            }
        } else {
            seated(
                    now.seating(view.knowledge().policy()),
                    now.asEvent(view.knowledge().policy()));
        }
        told = now.sight();
    }

    /** Tells everything between two sights, one message after the other; false if some of it cannot be read. */
    private boolean follow(Sight before, Sight now) {
        if (now.tip() - before.tip() > MOST_STEPS) {
            return false;
        }
        Sight last = before;
        Bound by = view.bound();
        for (long sequence = before.tip() + 1; sequence < now.at(); sequence++) {
            if (!(view.line().at(sequence, by) instanceof Reply.Got<Optional<SeatLine.Stored>> got)
                    || got.value().isEmpty()) {
                return false;
            }
            Optional<SeatMessage> message = got.value().get().message();
            if (message.isPresent()) {
                Sight step = Sight.of(message.get());
                step(last, step);
                last = step;
            }
        }
        if (now.at() > last.at()) {
            step(last, now);
        }
        return true;
    }

    private void step(Sight before, Sight after) {
        SeatState state = after.state();
        seated(
                state.seating(),
                state.seating()
                        .<SeatEvent>map(SeatEvent.Taken::new)
                        .orElseGet(() -> new SeatEvent.Vacated(state.lastEnded())));
        if (!state.head().equals(before.state().head())) {
            tell(new SeatEvent.Advanced(state.head()));
        }
    }

    private void seated(Optional<Seating> seating, SeatEvent event) {
        if (!seating.equals(toldSeating)) {
            toldSeating = seating;
            tell(event);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            forget.accept(this);
            wake.release();
        }
    }
}
