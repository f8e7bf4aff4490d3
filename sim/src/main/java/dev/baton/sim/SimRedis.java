package dev.baton.sim;

import dev.baton.authority.redis.protocol.Acceptor;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.quorum.Network.News;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One simulated Redis: the acceptor's rules, a disk that may lag behind, a run id, and a wall clock of its own.
 *
 * <p>Requests that were on their way while it restarted are taken all the same: only the run id tells them apart.
 */
final class SimRedis {

    /** How much a Redis with fsync LATER may forget: what it took since one of its last two snapshots. */
    private static final long SNAPSHOT_NANOS = 400_000_000L;

    private final String address;
    private final World world;
    private final Witness witness;
    private final Fsync fsync;
    private final Supplier<Acceptor> blank;
    private final double clockRate;
    private final List<Consumer<News.Kind>> subscribers = new ArrayList<>();
    private long clockOffsetMillis;
    private Acceptor memory;
    private Acceptor saved;
    private Acceptor savedBefore;
    private long savedNanos;
    private int run = 1;
    private boolean up = true;
    private boolean forgot;
    private boolean gone;
    private long stalledUntilNanos;
    private @Nullable MemberId member;
    private @Nullable Term sitting;
    private long seatEndsMillis;

    SimRedis(
            String address,
            World world,
            Witness witness,
            Fsync fsync,
            Supplier<Acceptor> blank,
            double clockRate,
            long clockOffsetMillis) {
        this.address = address;
        this.world = world;
        this.witness = witness;
        this.fsync = fsync;
        this.blank = blank;
        this.clockRate = clockRate;
        this.clockOffsetMillis = clockOffsetMillis;
        this.memory = blank.get();
        this.saved = memory;
        this.savedBefore = memory;
    }

    String address() {
        return address;
    }

    Fsync fsync() {
        return fsync;
    }

    String runId() {
        return "run" + run;
    }

    boolean isUp() {
        return up;
    }

    /** Who it was admitted as, last. */
    Optional<MemberId> member() {
        return Optional.ofNullable(member);
    }

    boolean remembers() {
        return member != null && !forgot;
    }

    /** Whether it still speaks for this member: admitted as it, with nothing forgotten since. */
    boolean isStill(MemberId expected) {
        return expected.equals(member) && !forgot;
    }

    private long wallMillis() {
        return 1_800_000_000_000L + clockOffsetMillis + (long) (world.nowNanos() / 1e6 * clockRate);
    }

    void subscribe(Consumer<News.Kind> subscriber) {
        subscribers.add(subscriber);
    }

    void unsubscribe(Consumer<News.Kind> subscriber) {
        subscribers.remove(subscriber);
    }

    private void tell(News.Kind kind) {
        List.copyOf(subscribers).forEach(subscriber -> subscriber.accept(kind));
    }

    /** A request arrives. One that meets no process is lost, one that meets a stalled process waits. */
    void take(Ask ask, Consumer<Answer> reply) {
        if (!up) {
            return;
        }
        if (world.nowNanos() < stalledUntilNanos) {
            int thisRun = run;
            world.at(stalledUntilNanos, () -> {
                if (run == thisRun) { // what the old process had read but not taken died with it
                    take(ask, reply);
                }
            });
            return;
        }
        save();
        Answer answer = memory.take(ask, wallMillis(), runId());
        witness.took(address, ask, answer);
        if (ask instanceof Ask.Admit && answer instanceof Answer.Done && member != null && !forgot) {
            witness.gaveUp(address, member);
        }
        publish(ask, answer);
        reply.accept(answer);
    }

    private void save() {
        if (world.nowNanos() - savedNanos >= SNAPSHOT_NANOS) {
            savedBefore = saved;
            saved = blank.get();
            saved.recall(memory);
            savedNanos = world.nowNanos();
        }
    }

    private void publish(Ask ask, Answer answer) {
        switch (ask) {
            case Ask.Promote promote
            when answer instanceof Answer.Granted -> seated(promote.seating(), promote.lease());
            case Ask.Append append
            when append.lease().isPositive() && isTaken(answer) -> seated(append.seating(), append.lease());
            case Ask.Resign resign when resign.term().equals(sitting) -> freed();
            case Ask.Admit admit
            when answer instanceof Answer.Done -> {
                member = admit.member();
                forgot = false;
                sitting = null;
            }
            default -> {} // the others neither take nor free the seat
        }
    }

    private static boolean isTaken(Answer answer) {
        return answer instanceof Answer.Accepted || (answer instanceof Answer.Ahead ahead && ahead.same());
    }

    private void seated(Seating seating, Duration lease) {
        sitting = seating.term();
        seatEndsMillis = wallMillis() + lease.toMillis();
        tell(News.Kind.RENEWED);
        expireLater(lease.toMillis());
    }

    private void expireLater(long inMillis) {
        int thisRun = run;
        Term term = sitting;
        long endsMillis = seatEndsMillis;
        world.after((long) (inMillis / clockRate * 1e6) + world.between(0, 3_000_000), () -> {
            if (up && run == thisRun && term != null && term.equals(sitting) && endsMillis == seatEndsMillis) {
                freed();
            }
        });
    }

    private void freed() {
        sitting = null;
        tell(News.Kind.FREED);
    }

    /** Takes connections and requests, and answers nothing until then. */
    void stallUntil(long worldNanos) {
        stalledUntilNanos = Math.max(stalledUntilNanos, worldNanos);
    }

    /** What it was given meanwhile is still taken at the time that was planned. */
    void wake() {
        stalledUntilNanos = 0;
    }

    void setClock(long byMillis) {
        clockOffsetMillis += byMillis;
    }

    /** What a restart leaves of a Redis. */
    enum Kept {
        EVERYTHING,
        /** What had reached the disk. */
        SNAPSHOT,
        NOTHING
    }

    void stop(Kept kept) {
        up = false;
        run++;
        stalledUntilNanos = 0;
        sitting = null;
        forgot |= kept == Kept.NOTHING || fsync != Fsync.ALWAYS;
        memory = switch (kept) {
            case EVERYTHING -> memory;
            case SNAPSHOT -> world.chance(0.5) ? saved : savedBefore;
            case NOTHING -> blank.get();
        };
        saved = blank.get();
        saved.recall(memory);
        savedBefore = saved;
        savedNanos = world.nowNanos();
    }

    void start() {
        if (!gone) {
            up = true;
            tell(News.Kind.CONNECTED);
        }
    }

    /** Stops for good. */
    void leave() {
        stop(Kept.NOTHING);
        gone = true;
    }
}
