package dev.baton.authority.redis.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.SeatEvent;
import dev.baton.core.Head;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a follower keeps up with a holder: by listening, or by looking when there would be too much to listen to. */
@Timeout(60)
class ObservationTest {

    private static final SeatId SEAT = SeatId.of("house", "blocks");

    private final AcceptorNodes nodes = new AcceptorNodes(3);
    private final Telling telling = new Telling(nodes.networkFor(SEAT));
    private final List<QuorumSeat> joined = new ArrayList<>();
    private volatile Head heard = Head.GENESIS;

    @AfterEach
    void close() {
        joined.forEach(QuorumSeat::close);
        nodes.close();
    }

    /** Tells of each renewal, as often as there are nodes, while that is wanted. */
    private static final class Telling implements Network {
        private final Network nodes;
        private volatile Consumer<News> listener = news -> {};
        private volatile boolean wanted;
        private final AtomicInteger told = new AtomicInteger();

        Telling(Network nodes) {
            this.nodes = nodes;
        }

        @Override
        public Link link(String address) {
            return nodes.link(address);
        }

        @Override
        public void listen(Consumer<News> added) {
            listener = added;
        }

        @Override
        public void wantRenewals(boolean now) {
            wanted = now;
        }

        void renewed(List<String> addresses) {
            if (wanted) {
                told.addAndGet(addresses.size());
                addresses.forEach(address -> listener.accept(new News(address, News.Kind.RENEWED)));
            }
        }
    }

    private QuorumSeat join(Network network) {
        // It looks by itself once a minute: whatever is found sooner is found by listening, or because it looks often.
        QuorumSettings settings = new QuorumSettings(
                Duration.ofMinutes(5),
                3,
                Duration.ofMillis(20),
                Duration.ofMillis(20),
                Duration.ofMinutes(1),
                Duration.ZERO);
        QuorumSeat seat =
                new QuorumSeat(SEAT, settings, QuorumRules.STRICT, nodes.addresses(), network, new TestSurroundings());
        joined.add(seat);
        return seat;
    }

    private static void until(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(1))
                .until(condition);
    }

    @Test
    void aBusyHolderIsLookedAtAndOneThatPausesIsListenedTo() {
        nodes.found(SEAT);
        Sequencer holder = Sequencer.take("n1", join(nodes.networkFor(SEAT)));
        QuorumSeat follower = join(telling);
        follower.watch(event -> {
            if (event instanceof SeatEvent.Advanced(Head head)) {
                heard = head;
            }
        });
        holder.commit("the first");
        until("it listens", () -> telling.wanted);

        until("it listens no more", () -> {
            holder.commit(8);
            telling.renewed(nodes.addresses());
            return !telling.wanted;
        });
        int toldBefore = telling.told.get();
        Head before = heard;
        until("it gets on with little telling", () -> {
            holder.commit(1);
            telling.renewed(nodes.addresses()); // if it does listen, because the holder stood still for a moment
            return heard.height().value() > before.height().value() + 100;
        });
        long entries = holder.head().height().value() - before.height().value();
        assertThat(telling.told.get() - toldBefore).isLessThan((int) entries);

        until("it has all, and listens again", () -> heard.equals(holder.head()) && telling.wanted);
        holder.commit("one alone");
        telling.renewed(nodes.addresses());
        until("it was told of that one", () -> heard.equals(holder.head()));
    }
}
