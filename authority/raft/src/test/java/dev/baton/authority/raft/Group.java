package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.ClusterId;
import dev.baton.core.Entry;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** Members of one group in this process, with verbs that wait. */
final class Group implements AutoCloseable {

    static final SeatId SEAT = SeatId.of("test", "blocks");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path dir;
    private final UnaryOperator<RaftSettings> tuning;
    private final Map<NodeId, String> peers = new TreeMap<>();
    private final Map<NodeId, RaftAuthority> members = new TreeMap<>();

    private Group(Path dir, int size, UnaryOperator<RaftSettings> tuning) throws Exception {
        this.dir = dir;
        this.tuning = tuning;
        for (int i = 1; i <= size; i++) {
            peers.put(node(i), LoopbackPorts.nextAddress());
        }
        for (int i = 1; i <= size; i++) {
            start(i);
        }
        awaitLeader();
    }

    static Group of(int size, Path dir, UnaryOperator<RaftSettings> tuning) throws Exception {
        return new Group(dir, size, tuning);
    }

    static NodeId node(int number) {
        return new NodeId("n" + number);
    }

    /** Slow elections, so that a busy machine does not elect where a test does not expect it. */
    RaftSettings settings(int number) {
        RaftSettings.Times times =
                new RaftSettings.Times(Duration.ofMillis(700), Duration.ofMillis(1200), Duration.ofSeconds(4));
        NodeId node = node(number);
        return tuning.apply(RaftSettings.of(new ClusterId("test"), node, peers, folder(number), Duration.ofSeconds(60))
                .with(times));
    }

    Path folder(int number) {
        return dir.resolve("n" + number);
    }

    Map<NodeId, String> peers() {
        return peers;
    }

    RaftAuthority member(int number) {
        RaftAuthority member = members.get(node(number));
        assertThat(member).as("n%d runs", number).isNotNull();
        return member;
    }

    RaftAuthority start(int number) {
        return adopt(number, RaftAuthority.start(settings(number)));
    }

    RaftAuthority adopt(int number, RaftAuthority member) {
        members.put(node(number), member);
        return member;
    }

    void stop(int number) {
        RaftAuthority member = members.remove(node(number));
        if (member != null) {
            member.close();
        }
    }

    int awaitLeader() {
        return Awaitility.await("somebody leads")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> members.entrySet().stream()
                                .filter(member -> member.getValue().leads())
                                .map(member ->
                                        Integer.parseInt(member.getKey().value().substring(1)))
                                .findFirst()
                                .orElse(0),
                        number -> number > 0);
    }

    /** For a while the one before may not know yet that it leads no more. */
    void awaitLeads(int number) {
        Awaitility.await("n" + number + " leads")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> member(number).leads());
    }

    static <R> R answer(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    Promotion ask(int number) {
        Holder holder = new Holder(node(number), new Incarnation(number));
        return answer(
                member(number).seat(SEAT).promote(new Claim.Vacancy(), new Candidate(holder, "n" + number + ":1")));
    }

    Promotion.Elected take(int number) {
        Promotion taken = Awaitility.await("n" + number + " is elected")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ask(number), Promotion.Elected.class::isInstance);
        return (Promotion.Elected) taken;
    }

    Appended append(int number, Promotion.Elected elected, Entry entry) {
        return answer(member(number).seat(SEAT).append(elected.seating().term(), entry));
    }

    /** The next entry on top of what this member has applied. */
    Entry draft(int number, Promotion.Elected elected, Bytes payload) {
        Look.Held look = (Look.Held) answer(member(number).seat(SEAT).look());
        return Entry.after(look.head(), SEAT, elected.seating().term().epoch(), List.of(), payload);
    }

    Entry commit(int number, Promotion.Elected elected, Bytes payload) {
        Entry entry = draft(number, elected, payload);
        assertThat(append(number, elected, entry)).isInstanceOf(Appended.Committed.class);
        return entry;
    }

    void resign(int number, Promotion.Elected elected) {
        assertThat(answer(member(number).seat(SEAT).resign(elected.seating().term())))
                .isInstanceOf(Resignation.Done.class);
    }

    long height(int number) {
        return switch (answer(member(number).seat(SEAT).look())) {
            case Look.Held held -> held.head().height().value();
            case Look.Vacant vacant -> vacant.head().height().value();
            case Look.Unavailable ignored -> -1;
        };
    }

    void awaitHeight(int number, long height) {
        Awaitility.await("n" + number + " reaches height " + height)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> height(number) >= height);
    }

    @Override
    public void close() {
        members.values().forEach(RaftAuthority::close);
    }
}
