package dev.baton.authority.nats.seat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.Trim;
import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.authority.nats.wire.Servers;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.timing.StalenessPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** One seat in one stream. What it remembers is what it has seen, and since when; JetStream's compare-and-set decides. */
public final class NatsSeat implements SeatAuthority {

    private static final int ROUNDS = 4;

    private final SeatView view;
    private final Servers servers;
    private final Set<SeatWatch> watches = ConcurrentHashMap.newKeySet();

    public NatsSeat(SeatId id, Servers servers, Duration lease, int replicas) {
        this.servers = servers;
        this.view = new SeatView(id, new SeatLine(id, replicas, servers), new Knowledge(new StalenessPolicy(lease)));
        servers.hear(view.line().names().hint(), () -> watches.forEach(SeatWatch::hint));
    }

    @Override
    public SeatId id() {
        return view.id();
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        return servers.later(() -> new Candidacy(view, claim, candidate).run());
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        return servers.later(() -> new Appending(view, term, entry).run());
    }

    @Override
    public CompletionStage<Resignation> resign(Term term) {
        return servers.later(() -> resignNow(term, view.bound()));
    }

    private Resignation resignNow(Term term, Bound by) {
        for (int round = 0; round < ROUNDS; round++) {
            Reply<Observation> reply = view.refresh(by);
            if (!(reply instanceof Reply.Got<Observation> got)) {
                return new Resignation.Unknown(Reply.trouble(reply));
            }
            Sight sight = got.value().sight();
            if (!sight.isHeldBy(term)) {
                return new Resignation.Done();
            }
            SeatState after = sight.state().withResignation();
            switch (view.write(sight, SeatMessage.Kind.RESIGNED, after, by)) {
                case Published.Landed ignored -> {
                    return new Resignation.Done();
                }
                case Published.Beaten ignored -> {} // an append of its own was still on its way: look again
                case Published.Unsent unsent -> {
                    return new Resignation.Unknown(unsent.why());
                }
                case Published.Unknown unknown -> {
                    return new Resignation.Unknown(unknown.why());
                }
            }
        }
        return new Resignation.Unknown(view.id() + " changes while its holder resigns");
    }

    @Override
    public CompletionStage<Page> read(Height from, PageLimit limit) {
        return servers.later(() -> new Reading(view, from, limit).run());
    }

    @Override
    public CompletionStage<Trim> trim(Term term, Height below) {
        return servers.later(() -> trimNow(term, below, view.bound()));
    }

    /** First the new beginning is committed, then the room below it is given back: a late copy of that does no harm. */
    private Trim trimNow(Term term, Height below, Bound by) {
        for (int round = 0; round < ROUNDS; round++) {
            Reply<Observation> reply = view.refresh(by);
            if (!(reply instanceof Reply.Got<Observation> got)) {
                return new Trim.Unknown(Reply.trouble(reply));
            }
            Sight sight = got.value().sight();
            SeatState state = sight.state();
            if (!sight.isHeldBy(term)) {
                return new Trim.Fenced(state.fencing(term));
            }
            Height head = state.head().height();
            Height keepFrom = below.isAbove(head) ? head : below;
            if (!keepFrom.isAbove(state.oldest())) {
                return new Trim.Done(state.oldest());
            }
            Reply<SeatMessage> first = new Locating(view, by).find(keepFrom, sight);
            if (!(first instanceof Reply.Got<SeatMessage> kept)) {
                return new Trim.Unknown(Reply.trouble(first));
            }
            switch (view.write(sight, SeatMessage.Kind.TRIMMED, state.trimmed(keepFrom), by)) {
                case Published.Landed ignored -> {
                    view.line().purgeBelow(kept.value().sequence());
                    return new Trim.Done(keepFrom);
                }
                case Published.Beaten ignored -> {} // look again
                case Published.Unsent unsent -> {
                    return new Trim.Unknown(unsent.why());
                }
                case Published.Unknown unknown -> {
                    return new Trim.Unknown(unknown.why());
                }
            }
        }
        return new Trim.Unknown(view.id() + " changes while it is trimmed");
    }

    @Override
    public CompletionStage<Look> look() {
        return servers.later(() -> switch (view.refresh(view.bound())) {
            case Reply.Got<Observation> got ->
                got.value().asLook(view.knowledge().policy());
            case Reply.Refused<Observation> refused -> new Look.Unavailable(refused.why());
            case Reply.Unsent<Observation> unsent -> new Look.Unavailable(unsent.why());
            case Reply.Lost<Observation> lost -> new Look.Unavailable(lost.why());
        });
    }

    /** How the servers stand towards this seat's stream now. Comes within a few seconds. */
    public CompletionStage<List<ServerState>> servers() {
        return servers.later(() -> new Survey(view).run());
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        SeatWatch watch = new SeatWatch(view, listener, watches::remove);
        watches.add(watch);
        watch.start();
        return watch;
    }

    /** Ends all watches. */
    public void close() {
        watches.forEach(SeatWatch::close);
    }
}
