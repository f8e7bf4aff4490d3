package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.standing.Readiness;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.seat.Handover;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.LedgerLimits;
import dev.baton.seat.Seat;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Token duties on real drivers, over an engine in memory. */
class TokenSeatTest {

    private static final SeatId SEAT = SeatId.of("test", "tokens");

    private static final SeatTimings FAST = new SeatTimings(
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            PulsePolicy.DEFAULT,
            Duration.ZERO,
            Duration.ofMillis(50),
            new BigDecimal("1.01"),
            Optional.empty());

    private static final TokenSettings SETTINGS =
            new TokenSettings(true, 1000, 100, 10_000, 1000, 1000, 1000, 20, Optional.empty());

    private record Node(String name, TokenDuty duty, JoinedSeat seat, MemoryAuthority authority) {}

    private final MemoryEngine engine = new MemoryEngine(FAST.takeoverDelay());
    private final List<Node> nodes = new ArrayList<>();

    private Node join(String name) {
        TokenDuty duty = TokenDuty.of(
                SEAT, SETTINGS, FAST.takeoverDelay(), FAST.clockRateBound(), System::nanoTime, () -> name + ":50051");
        MemoryAuthority authority = engine.connect(new NodeId(name));
        JoinedSeat seat = Seat.of(SEAT)
                .contender(name)
                .timings(FAST)
                .keep(new LedgerLimits(16, 1 << 20))
                .onCannotStop(why -> {
                    throw new AssertionError(why);
                })
                .join(authority, duty);
        Node node = new Node(name, duty, seat, authority);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void leaveAll() {
        nodes.forEach(node -> node.seat().close());
    }

    private static Answer ask(Node node, String namespace, Optional<RequestId> id) throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        node.duty().next(new Ask(namespace, 1, id, false), answer::complete);
        return answer.get(30, TimeUnit.SECONDS);
    }

    /** Asks whoever serves, until somebody does. */
    private Answer.Handed next(String namespace, Optional<RequestId> id) throws Exception {
        while (true) {
            for (Node node : List.copyOf(nodes)) {
                if (ask(node, namespace, id) instanceof Answer.Handed handed) {
                    return handed;
                }
            }
            Thread.onSpinWait();
        }
    }

    private static void awaitLeading(Node node) {
        await().atMost(Duration.ofSeconds(30)).until(() -> node.seat().status().leads());
    }

    @Test
    void callersGetTokensInOrderAndEachOnceWhileHoldersComeAndGo() throws Exception {
        Node first = join("n1");
        awaitLeading(first);
        join("n2");
        join("n3");
        AtomicBoolean enough = new AtomicBoolean();
        AtomicReference<String> broken = new AtomicReference<>("");
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        List<Thread> callers = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            String client = "client-" + c;
            callers.add(Thread.ofPlatform().start(() -> {
                long last = 0;
                long revision = 0;
                try {
                    for (long sequence = 1; !enough.get(); sequence++) {
                        Answer.Handed handed = next("orders", Optional.of(new RequestId(client, sequence)));
                        if (handed.start() <= last || handed.revision() < revision || !seen.add(handed.start())) {
                            broken.set(handed + " after " + last + " at revision " + revision);
                        }
                        last = handed.start();
                        revision = handed.revision();
                    }
                } catch (Exception e) {
                    broken.set(e.toString());
                }
            }));
        }
        for (int round = 0; round < 3; round++) {
            Node holder = nodes.stream()
                    .filter(node -> node.seat().status().leads())
                    .findFirst()
                    .orElseThrow();
            int before = seen.size();
            await().atMost(Duration.ofSeconds(30)).until(() -> seen.size() > before + 50);
            holder.seat().pause("test");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> nodes.stream()
                            .anyMatch(node ->
                                    !node.equals(holder) && node.seat().status().leads()));
            holder.seat().resume();
        }
        enough.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(broken.get()).isEmpty();
        assertThat(seen).hasSizeGreaterThan(150);
    }

    @Test
    void aNodeThatComesToATrimmedLedgerIsRebuiltFromItsCheckpointAndCanLead() throws Exception {
        Node first = join("n1");
        awaitLeading(first);
        while (oldest().isBelow(new Height(60))) {
            next("orders", Optional.empty());
        }
        Answer.Handed last = next("orders", Optional.empty());
        Node second = join("n2");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> second.duty().readiness() instanceof Readiness.Ready
                        && second.duty().applied().isAbove(last.height())
                        && second.seat().status().currentHolder().isPresent());
        first.seat().close();
        nodes.remove(first);
        awaitLeading(second);
        assertThat(next("orders", Optional.empty()).start()).isEqualTo(last.start() + 1);
    }

    private Height oldest() throws Exception {
        return switch (engine.connect(new NodeId("reader"))
                .seat(SEAT)
                .read(Height.FIRST, PageLimit.DEFAULT)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS)) {
            case Page.Trimmed(Height oldest) -> oldest;
            case Page.Entries ignored -> Height.FIRST;
            case Page.Unavailable(String why) -> throw new AssertionError(why);
        };
    }

    @Test
    void aHolderThatIsCutOffStopsHandingOutLeasedTokensBeforeItsSuccessorBegins() throws Exception {
        Node first = join("n1");
        awaitLeading(first);
        CompletableFuture<Changed> made = new CompletableFuture<>();
        first.duty().create(HandNode.spec("codes", Guarantee.LEASED), made::complete);
        assertThat(made.get(10, TimeUnit.SECONDS)).isInstanceOf(Changed.Done.class);
        Answer.Handed served = next("codes", Optional.empty());
        Node second = join("n2");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> second.duty().readiness() instanceof Readiness.Ready
                        && second.seat().status().currentHolder().isPresent());

        first.authority().cut();
        long highest = served.start();
        Answer.Handed fromSecond = null;
        while (fromSecond == null) {
            if (ask(first, "codes", Optional.empty()) instanceof Answer.Handed handed) {
                assertThat(handed.start()).isGreaterThan(highest);
                highest = handed.start();
            }
            CompletableFuture<Answer> other = new CompletableFuture<>();
            second.duty().next(new Ask("codes", 1, Optional.empty(), false), other::complete);
            while (!other.isDone() && ask(first, "codes", Optional.empty()) instanceof Answer.Handed handed) {
                assertThat(handed.start()).isGreaterThan(highest);
                highest = handed.start();
            }
            if (other.get(30, TimeUnit.SECONDS) instanceof Answer.Handed handed) {
                fromSecond = handed;
            }
        }
        assertThat(fromSecond.start()).isGreaterThan(highest);
        assertThat(fromSecond.revision()).isGreaterThan(served.revision());
        assertThat(ask(first, "codes", Optional.empty())).isNotInstanceOf(Answer.Handed.class);
    }

    @Test
    void aHolderThatHandsOverIsQuietBeforeTheTicketExists() throws Exception {
        Node first = join("n1");
        awaitLeading(first);
        CompletableFuture<Changed> made = new CompletableFuture<>();
        first.duty().create(HandNode.spec("codes", Guarantee.LEASED), made::complete);
        made.get(10, TimeUnit.SECONDS);
        next("codes", Optional.empty());
        Handover handover = first.seat()
                .handoff(new NodeId("n2"), Duration.ofSeconds(5))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        assertThat(handover).isInstanceOf(Handover.Issued.class);
        CompletableFuture<Answer> waits = new CompletableFuture<>();
        first.duty().next(new Ask("codes", 1, Optional.empty(), false), waits::complete);
        assertThat(waits).isNotDone(); // until the ticket runs out and its abort is committed
        assertThat(waits.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Handed.class);
    }
}
