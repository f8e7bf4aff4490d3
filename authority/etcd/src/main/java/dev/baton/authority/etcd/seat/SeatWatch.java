package dev.baton.authority.etcd.seat;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.etcd.wire.Member;
import dev.baton.authority.etcd.wire.Reply;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells one listener of every change of a seat.
 *
 * <p>It reads the picture, tells it, and follows etcd's events from the next revision on. A stream that breaks is
 * resumed at another member where it stopped, and nothing is missed. When etcd has forgotten that place (compaction),
 * cannot be reached, or the stream has fallen silent though the picture changed (a member that was frozen), the
 * listener hears {@code Missed} and the picture anew.
 *
 * <p>All of it runs on the one thread of the members' loop, so events come one at a time and in order.
 */
final class SeatWatch implements SeatAuthority.Watch {

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final SeatLine line;
    private final Consumer<SeatEvent> listener;
    private final Consumer<SeatWatch> forget;
    private volatile boolean closed;

    // From here on: only touched on the loop.
    private @Nullable SeatState view;
    private long nextRevision;
    /** Tells the present stream from those that were given up: what they still say is not heard. */
    private int stream;

    private Member.@Nullable Watching watching;
    private int failures;
    private boolean missed;
    private @Nullable SeatState doubted;

    SeatWatch(SeatLine line, Consumer<SeatEvent> listener, Consumer<SeatWatch> forget) {
        this.line = line;
        this.listener = listener;
        this.forget = forget;
    }

    void start() {
        onLoop(this::readPicture);
        later(this::doubt, line.members().requestTimeout());
    }

    private void onLoop(Runnable step) {
        later(step, Duration.ZERO);
    }

    private void later(Runnable step, Duration delay) {
        if (!line.members().isClosed() && !closed) {
            line.members()
                    .later(
                            () -> {
                                if (!closed && !line.members().isClosed()) {
                                    step.run();
                                }
                            },
                            delay);
        }
    }

    private void tell(SeatEvent event) {
        if (!closed) {
            listener.accept(event);
        }
    }

    private void readPicture() {
        var unused = line.look(line.bound())
                .thenAccept(reply -> onLoop(() -> {
                    if (reply instanceof Reply.Got<RangeResponse> got) {
                        SeatState seen = line.state(got.value());
                        view = seen;
                        nextRevision = got.value().getHeader().getRevision() + 1;
                        missed = false;
                        failures = 0;
                        seen.present().forEach(this::tell);
                        follow();
                    } else {
                        miss(Reply.trouble(reply));
                        later(this::readPicture, PAUSE);
                    }
                }));
    }

    /** Said once, however long it lasts. */
    private void miss(String why) {
        if (!missed) {
            missed = true;
            tell(new SeatEvent.Missed(why));
        }
    }

    /** Goes on from the next revision, at the member that was found to work, or at the one after it. */
    private void follow() {
        int number = ++stream;
        List<Member> members = line.members().all();
        Member member = members.get((members.indexOf(line.members().preferred()) + failures) % members.size());
        var unused = member.watch(
                        line.keys().nowBegin(),
                        line.keys().nowEnd(),
                        nextRevision,
                        line.members().requestTimeout(),
                        new Member.WatchObserver() {
                            @Override
                            public void changed(WatchResponse response) {
                                onLoop(() -> heard(number, response));
                            }

                            @Override
                            public void broken(String why) {
                                onLoop(() -> resume(number, why));
                            }
                        })
                .thenAccept(opened -> onLoop(() -> {
                    if (number == stream) {
                        watching = opened;
                    } else {
                        opened.cancel();
                    }
                }));
    }

    private void heard(int number, WatchResponse response) {
        if (number != stream) {
            return;
        }
        if (response.getCanceled()) {
            begin(
                    response.getCompactRevision() > 0
                            ? "revision " + nextRevision + " was compacted; etcd begins at "
                                    + response.getCompactRevision()
                            : "etcd ended the watch: " + response.getCancelReason());
            return;
        }
        failures = 0;
        List<Event> events = response.getEventsList();
        for (int at = 0; at < events.size(); ) {
            int end = at;
            while (end < events.size() && revision(events.get(end)) == revision(events.get(at))) {
                end++;
            }
            apply(events.subList(at, end));
            at = end;
        }
    }

    private static long revision(Event event) {
        return event.getKv().getModRevision();
    }

    /** One transaction's changes become one change of the picture. */
    private void apply(List<Event> together) {
        SeatState before = view;
        if (before == null || revision(together.getFirst()) < nextRevision) {
            return;
        }
        SeatState after = before;
        for (Event event : together) {
            if (event.getType() == Event.EventType.PUT) {
                after = after.with(line.keys(), event.getKv());
            } else if (event.getKv().getKey().equals(line.keys().seat())) {
                after = after.vacated();
            }
        }
        view = after;
        nextRevision = revision(together.getFirst()) + 1;
        if (!after.seating().equals(before.seating())) {
            tell(after.asEvent());
        }
        if (!after.head().equals(before.head())) {
            tell(new SeatEvent.Advanced(after.head()));
        }
    }

    private void resume(int number, String why) {
        if (number != stream) {
            return;
        }
        stream++;
        watching = null;
        failures++;
        if (failures > line.members().all().size()) {
            begin(why);
        } else {
            later(this::follow, PAUSE);
        }
    }

    /** Starts over from the picture. */
    private void begin(String why) {
        stream++;
        Member.Watching old = watching;
        watching = null;
        if (old != null) {
            old.cancel();
        }
        miss(why);
        later(this::readPicture, PAUSE);
    }

    /**
     * Compares the picture with what the stream has told. One difference may be an event on its way; if the stream has
     * told nothing by the next look, it is dead, though its connection stands.
     */
    private void doubt() {
        var unused = line.look(line.bound())
                .thenAccept(reply -> onLoop(() -> {
                    later(this::doubt, line.members().requestTimeout());
                    SeatState told = view;
                    if (!(reply instanceof Reply.Got<RangeResponse> got) || told == null || missed) {
                        doubted = null;
                        return;
                    }
                    boolean same = line.state(got.value()).equals(told);
                    if (!same && told.equals(doubted)) {
                        doubted = null; // the next stream goes to the member that has just answered
                        begin("the watch fell silent");
                    } else {
                        doubted = same ? null : told;
                    }
                }));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        forget.accept(this);
        if (!line.members().isClosed()) {
            line.members()
                    .later(
                            () -> {
                                stream++;
                                Member.Watching old = watching;
                                if (old != null) {
                                    old.cancel();
                                }
                            },
                            Duration.ZERO);
        }
    }
}
