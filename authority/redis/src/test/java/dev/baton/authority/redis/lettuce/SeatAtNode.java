package dev.baton.authority.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.PageLimit;
import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.quorum.Network;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One seat at one node, as the code that keeps seats sees it. */
final class SeatAtNode implements AutoCloseable {

    static final SeatId SEAT = SeatId.of("acme", "blocks");
    static final MemberId MEMBER = new MemberId("00000000000000aa");
    static final Seating SEATING =
            new Seating(new Term(new Epoch(1), new Holder(new NodeId("n1"), new Incarnation(7))), "n1:9000");

    private final LettuceNodes nodes;
    private final Network network;
    private final Link link;
    private final List<Network.News> news = new CopyOnWriteArrayList<>();

    SeatAtNode(RedisSettings settings) {
        nodes = LettuceNodes.open(settings);
        network = nodes.networkFor(SEAT);
        link = network.link(settings.nodes().getFirst());
        network.listen(news::add);
        network.wantRenewals(true);
    }

    /** On a machine that has much to do, an answer is late before it is lost. */
    static RedisSettings patient(String address) {
        return RedisSettings.of(List.of(address)).withNodeTimeout(Duration.ofMinutes(5));
    }

    static SeatAtNode at(String address) {
        return new SeatAtNode(patient(address));
    }

    static SeatAtNode at(String address, Duration nodeTimeout) {
        return new SeatAtNode(RedisSettings.of(List.of(address)).withNodeTimeout(nodeTimeout));
    }

    Link link() {
        return link;
    }

    Link link(String address) {
        return network.link(address);
    }

    CompletableFuture<Answer> send(Ask ask) {
        return link.ask(ask, Link.Lane.EXPRESS).toCompletableFuture();
    }

    Answer ask(Ask ask) {
        return answerOf(send(ask));
    }

    static Answer answerOf(CompletableFuture<Answer> answer) {
        return answer.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Until the node answers, whatever it says. */
    void awaitConnected() {
        await().atMost(Duration.ofSeconds(20)).until(() -> heard(Network.News.Kind.CONNECTED) > 0);
    }

    long heard(Network.News.Kind kind) {
        return news.stream().filter(item -> item.kind() == kind).count();
    }

    void awaitHeard(Network.News.Kind kind, long times) {
        await().atMost(Duration.ofSeconds(20)).until(() -> heard(kind) >= times);
    }

    /** The node becomes a member, and its seat is taken. */
    void found(Fsync fsync) {
        awaitConnected();
        assertThat(ask(admit(fsync))).isEqualTo(new Answer.Done());
        assertThat(ask(promote(Duration.ofSeconds(30)))).isInstanceOf(Answer.Granted.class);
    }

    private Ask admit(Fsync fsync) {
        MemberSet alone = MemberSet.of(new Member(MEMBER, "a:1"));
        return new Ask.Admit(MEMBER, Optional.empty(), fsync, link.runId(), Optional.empty(), alone, Optional.empty());
    }

    static Ask promote(Duration lease) {
        return new Ask.Promote(MEMBER, SEATING, lease, Optional.empty(), Optional.empty());
    }

    static Ask append(Entry entry) {
        return new Ask.Append(MEMBER, SEATING, entry, Duration.ofSeconds(30));
    }

    static Ask peek() {
        return new Ask.Peek(MEMBER);
    }

    static Ask range() {
        return new Ask.Range(MEMBER, Height.FIRST, PageLimit.DEFAULT);
    }

    static Entry entry(Head after, int bytes) {
        return Entry.after(after, SEAT, new Epoch(1), List.of(), Bytes.wrap(new byte[bytes]));
    }

    @Override
    public void close() {
        nodes.close();
    }
}
