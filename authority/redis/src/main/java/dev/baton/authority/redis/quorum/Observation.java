package dev.baton.authority.redis.quorum;

import dev.baton.authority.Look;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the seat: when asked, when a node tells of a change, when the lease should be over, and from time to time
 * anyway. Events make it fast, looking makes it true.
 */
final class Observation {

    /** Renewals may come by the hundred each second; nobody needs to look that often. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /**
     * So often is a busy holder looked at. Each look costs every node a script, at the expense of the holder's appends;
     * and whoever takes over reads what it lacks first, so nobody gains by knowing sooner.
     */
    private static final Duration WHILE_FOLLOWING = Duration.ofMillis(50);

    /** Who appends again within this time appends often; and an event that comes so soon after an append is its own. */
    private static final Duration OFTEN = Duration.ofMillis(20);

    /** Who has not appended for so long has paused. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** A holder that gets on by so many entries between two looks is watched without listening to each of them. */
    private static final int MANY = 4;

    /** A lease ends a moment later at the node than the sight of it says. */
    private static final Duration AFTER_THE_LEASE = Duration.ofMillis(1);

    private final QuorumSettings settings;
    private final QuorumRules rules;
    private final Roster roster;
    private final Surroundings surroundings;
    private final Watchers watchers;
    private final Network network;
    private Head head = Head.GENESIS;
    private Height oldest = Height.FIRST;
    private Optional<Picture> last = Optional.empty();
    private long lastNanos;
    private long changes;
    private boolean looking;
    private boolean lookAgain;
    private boolean quiet;
    private long ownAppendNanos;
    private boolean closed;
    private Surroundings.@Nullable Timer next;
    private boolean renewalWaits;

    /** Whether the holder appends so often that to look costs less than to listen. */
    private boolean following;

    private Height lookedAt = Height.ZERO;
    private long lookedNanos;

    Observation(
            QuorumSettings settings,
            QuorumRules rules,
            Roster roster,
            Surroundings surroundings,
            Watchers watchers,
            Network network) {
        this.settings = settings;
        this.rules = rules;
        this.roster = roster;
        this.surroundings = surroundings;
        this.watchers = watchers;
        this.network = network;
        this.lastNanos = surroundings.nanos();
        this.lookedNanos = lastNanos;
        this.ownAppendNanos = lastNanos - PAUSE.toNanos();
    }

    /** The furthest head that this process knows to be committed. */
    Head head() {
        return head;
    }

    Height oldest() {
        return oldest;
    }

    /** The last picture, if it is not older than this. */
    Optional<Picture> lastWithin(Duration age) {
        return last.filter(picture -> surroundings.nanos() - lastNanos <= age.toNanos());
    }

    /**
     * This process appends. If it does so often, the news that come with it are its own and not worth hearing; as soon as
     * it pauses, somebody else may have taken over.
     */
    void appends() {
        long nowNanos = surroundings.nanos();
        boolean often = nowNanos - ownAppendNanos < OFTEN.toNanos();
        ownAppendNanos = nowNanos;
        if (often && !quiet) {
            setQuiet(true);
            endQuietLater();
        }
    }

    private void endQuietLater() {
        surroundings.after(PAUSE, () -> {
            if (surroundings.nanos() - ownAppendNanos < PAUSE.toNanos()) {
                endQuietLater();
            } else {
                setQuiet(false);
            }
        });
    }

    private void setQuiet(boolean now) {
        quiet = now;
        attend();
    }

    /** Renewals tell a follower of new heads; nobody else needs to hear them, and it does not if it looks anyway. */
    void attend() {
        network.wantRenewals(!quiet && !following && !watchers.isEmpty());
    }

    /** This process itself changed something: what was being looked at meanwhile is older than that. */
    void changed() {
        changes++;
        last = Optional.empty();
    }

    void committed(Head newer) {
        if (newer.height().isAbove(head.height())) {
            head = newer;
        }
    }

    void trimmed(Height newer) {
        if (newer.isAbove(oldest)) {
            oldest = newer;
        }
    }

    /** Looks now; the answer is empty if no quorum can be seen. */
    void look(Consumer<Optional<Picture>> then) {
        long changesBefore = changes;
        Looking round = new Looking(picture -> {
            picture.ifPresent(seen -> {
                committed(seen.head());
                trimmed(seen.oldest());
                if (changes == changesBefore) {
                    last = picture;
                    lastNanos = surroundings.nanos();
                    watchers.tell(seen.holder(), seen.lastEnded(), head);
                }
            });
            then.accept(picture);
        });
        round.begin();
    }

    Look asLook(Optional<Picture> picture) {
        if (picture.isEmpty()) {
            return new Look.Unavailable(roster.troubles());
        }
        Picture seen = picture.get();
        return seen.holder()
                .<Look>map(by -> new Look.Held(by, head, oldest))
                .orElseGet(() -> new Look.Vacant(seen.lastEnded(), head, oldest));
    }

    void heard(Network.News news) {
        switch (news.kind()) {
            case CONNECTED -> {
                roster.at(news.address()).forgetRecognition();
                keepLooking();
            }
            case FREED -> keepLooking();
            case RENEWED -> renewed();
        }
    }

    private void renewed() {
        boolean own = surroundings.nanos() - ownAppendNanos < OFTEN.toNanos();
        if (!own && !quiet && !renewalWaits) {
            renewalWaits = true;
            surroundings.after(BETWEEN_LOOKS, () -> {
                renewalWaits = false;
                keepLooking();
            });
        }
    }

    /** Looks, tells those who watch, and plans the next look. */
    void keepLooking() {
        if (closed || watchers.isEmpty()) {
            return;
        }
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        if (next != null) {
            next.cancel();
        }
        look(picture -> {
            looking = false;
            if (picture.isEmpty()) {
                watchers.tellOutOfReach(roster.troubles());
            }
            if (lookAgain) {
                lookAgain = false;
                keepLooking();
            } else {
                boolean before = following;
                follow();
                Duration pause = following || before ? WHILE_FOLLOWING : pause(picture);
                next = surroundings.after(pause, this::keepLooking);
            }
        });
    }

    /** Each append is told by every node: of a busy holder that is a flood, which this process and the nodes pay for. */
    private void follow() {
        long nowNanos = surroundings.nanos();
        long gained = head.height().value() - lookedAt.value();
        boolean busy = gained >= MANY && nowNanos - lookedNanos < PAUSE.toNanos();
        lookedAt = head.height();
        lookedNanos = nowNanos;
        boolean now = !quiet && (following ? gained > 0 : busy);
        if (now != following) {
            following = now;
            attend();
        }
    }

    private Duration pause(Optional<Picture> picture) {
        Duration poll = settings.poll().plusNanos(jitter(settings.pollJitter()));
        return picture.filter(seen -> seen.holder().isPresent() && !quiet)
                .flatMap(Picture::freeIn)
                .map(left -> left.plus(AFTER_THE_LEASE))
                .filter(left -> left.compareTo(poll) < 0)
                .orElse(poll);
    }

    private long jitter(Duration most) {
        return most.isZero() ? 0 : surroundings.random().nextLong(most.toNanos());
    }

    void close() {
        closed = true;
        if (next != null) {
            next.cancel();
        }
    }

    /** One look at all nodes. */
    private final class Looking {

        private final Consumer<Optional<Picture>> then;
        private final List<Sight> sights = new ArrayList<>();
        private int pending;
        private boolean decided;

        Looking(Consumer<Optional<Picture>> then) {
            this.then = then;
        }

        void begin() {
            List<Roster.Node> nodes = roster.all();
            pending = nodes.size();
            nodes.forEach(node -> node.ask(node.introduction(), Link.Lane.EXPRESS, this::heard));
        }

        private void heard(Answer answer) {
            pending--;
            if (answer instanceof Answer.Seen(Sight sight)) {
                sights.add(sight);
            }
            if (decided) {
                return;
            }
            Optional<Picture> picture = Picture.of(rules, sights);
            if (picture.map(Picture::certain).orElse(false) || pending == 0) {
                decided = true;
                then.accept(picture);
            }
        }
    }
}
