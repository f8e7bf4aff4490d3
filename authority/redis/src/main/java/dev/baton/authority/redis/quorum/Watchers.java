package dev.baton.authority.redis.quorum;

import dev.baton.authority.SeatEvent;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Seating;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells those who watch what is new to them: never the same twice, never an older head, never an older term. */
final class Watchers {

    private static final Logger LOG = LoggerFactory.getLogger(Watchers.class);

    private final List<Told> watching = new ArrayList<>();

    /** One listener, and what it knows. */
    final class Told {

        private final Consumer<SeatEvent> listener;
        private boolean begun;
        private boolean outOfReach;
        private Optional<Seating> holder = Optional.empty();
        private Epoch newest = Epoch.NONE;
        private Head head = Head.GENESIS;

        private Told(Consumer<SeatEvent> listener) {
            this.listener = listener;
        }

        void stop() {
            watching.remove(this);
        }

        private void tell(Optional<Seating> now, Ending ended, Head headNow) {
            outOfReach = false;
            tellHolder(now, ended);
            if (headNow.height().isAbove(head.height())) {
                if (begun && headNow.height().isAbove(head.height().next())) {
                    send(new SeatEvent.Missed("heads between " + head + " and " + headNow));
                }
                head = headNow;
                send(new SeatEvent.Advanced(headNow));
            }
            begun = true;
        }

        private void tellHolder(Optional<Seating> now, Ending ended) {
            if (now.isPresent()) {
                Seating seating = now.get();
                if (!now.equals(holder) && !newest.isAbove(seating.term().epoch())) {
                    holder = now;
                    newest = seating.term().epoch();
                    send(new SeatEvent.Taken(seating));
                }
            } else if (!begun || holder.isPresent()) {
                holder = Optional.empty();
                send(new SeatEvent.Vacated(ended));
            }
        }

        private void tellOutOfReach(String why) {
            if (!outOfReach) {
                outOfReach = true;
                send(new SeatEvent.Missed(why));
            }
        }

        private void send(SeatEvent event) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                LOG.error("a listener failed on {}", event, e);
            }
        }
    }

    Told add(Consumer<SeatEvent> listener) {
        Told told = new Told(listener);
        watching.add(told);
        return told;
    }

    boolean isEmpty() {
        return watching.isEmpty();
    }

    void tell(Optional<Seating> holder, Ending ended, Head head) {
        List.copyOf(watching).forEach(told -> told.tell(holder, ended, head));
    }

    void tellOutOfReach(String why) {
        List.copyOf(watching).forEach(told -> told.tellOutOfReach(why));
    }
}
