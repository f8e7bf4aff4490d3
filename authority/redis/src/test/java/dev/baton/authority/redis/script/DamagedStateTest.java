package dev.baton.authority.redis.script;

import static dev.baton.authority.redis.script.ScriptRunner.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.PageLimit;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import io.lettuce.core.SetArgs;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is foreign or damaged under a seat's keys has no vote, is named, and is left as it is. */
final class DamagedStateTest {

    private static final SeatId SEAT = SeatId.of("acme", "blocks");
    private static final SeatKeys KEYS = SeatKeys.of(SEAT);
    private static final MemberId MEMBER = new MemberId("00000000000000aa");
    private static final MemberSet SET = MemberSet.of(new Member(MEMBER, "a:1"));
    private static final Seating SEATING =
            new Seating(new Term(new Epoch(1), new Holder(new NodeId("n1"), new Incarnation(7))), "n1:9000");
    private static final Seating NEXT =
            new Seating(new Term(new Epoch(2), new Holder(new NodeId("n2"), new Incarnation(8))), "n2:9000");
    private static final Duration LEASE = Duration.ofHours(1);

    private static final Entry FIRST = entry(Head.GENESIS, "one");
    private static final Entry SECOND = entry(FIRST.asHead(), "two");
    private static final Entry THIRD = entry(SECOND.asHead(), "three");

    @TempDir
    private Path dir;

    private RedisServer server;
    private ScriptRunner scripts;

    @BeforeEach
    void start() {
        server = RedisServer.in(dir).inMemory().start();
        scripts = new ScriptRunner(server.address(), server.info("server", "run_id"));
        assertThat(scripts.take(SEAT, admit(Optional.empty()))).isEqualTo(new Answer.Done());
        assertThat(scripts.take(SEAT, promote())).isInstanceOf(Answer.Granted.class);
        assertThat(scripts.take(SEAT, append(FIRST))).isEqualTo(new Answer.Accepted());
        assertThat(scripts.take(SEAT, append(SECOND))).isEqualTo(new Answer.Accepted());
    }

    @AfterEach
    void stop() {
        scripts.close();
        server.close();
    }

    @Test
    void keysOfOtherTypesAreNamedWithTheirType() {
        everyAskIsBroken(redis -> retype(redis, KEYS.seat()), KEYS.seat() + ": a list");
        everyAskIsBroken(redis -> retype(redis, KEYS.state()), KEYS.state() + ": a list");
        everyAskIsBroken(redis -> retype(redis, KEYS.ledger()), KEYS.ledger() + ": a list");
    }

    @Test
    void stateOfAnotherSeatIsNamed() {
        everyAskIsBroken(
                redis -> redis.hset(key(KEYS.state()), key("cluster"), key("other")),
                "the state of other/blocks/1 (expected: acme/blocks/1)");
        everyAskIsBroken(redis -> redis.hset(key(KEYS.state()), key("era"), key("2")), "acme/blocks/2");
    }

    @Test
    void missingOrSenselessFieldsAreNamed() {
        for (String field : List.of("member", "run", "promised", "over", "governing", "hash", "oldest")) {
            everyAskIsBroken(redis -> redis.hdel(key(KEYS.state()), key(field)), field + ": missing");
        }
        for (String field : List.of("promised", "open", "over", "height", "ballot")) {
            for (String value : List.of("", "-1", "1.5", "x", "9007199254740992")) {
                everyAskIsBroken(redis -> redis.hset(key(KEYS.state()), key(field), key(value)), field + ": " + value);
            }
        }
        everyAskIsBroken(redis -> redis.hset(key(KEYS.state()), key("fsync"), key("sometimes")), "sometimes");
    }

    @Test
    void tipThatIsNotWhatTheStateSaysIsBroken() {
        everyTipAskIsBroken(redis -> redis.xdel(key(KEYS.ledger()), "2-1"), "last entry 1-1 (expected: 2-1");
        everyTipAskIsBroken(redis -> redis.del(key(KEYS.ledger())), "last entry missing (expected: 2-1");
        everyTipAskIsBroken(
                redis -> redis.xadd(key(KEYS.ledger()), new XAddArgs().id("3-1"), Map.of(key("e"), key("foreign"))),
                "last entry 3-1 (expected: 2-1");
        everyTipAskIsBroken(
                redis -> redis.hset(key(KEYS.state()), key("hash"), key("0".repeat(64))), "(expected: 0000");
        everyTipAskIsBroken(redis -> redis.hset(key(KEYS.state()), key("ballot"), key("7")), "(expected: 2-7");
        everyTipAskIsBroken(redis -> redis.hset(key(KEYS.state()), key("height"), key("0")), "expected: no entry");
    }

    /** The next entry takes a shortcut, which looks only at what it needs; where that is damaged, it refuses as well. */
    @Test
    void theShortcutOfTheNextEntryIsRefusedToo() {
        Map<String, Consumer<RedisCommands<byte[], byte[]>>> damages = Map.of(
                KEYS.seat() + ": a list",
                redis -> retype(redis, KEYS.seat()),
                KEYS.state() + ": a list",
                redis -> retype(redis, KEYS.state()),
                KEYS.ledger() + ": a list",
                redis -> retype(redis, KEYS.ledger()),
                "last entry missing",
                redis -> redis.del(key(KEYS.ledger())),
                "last entry 3-1",
                redis -> redis.xadd(key(KEYS.ledger()), new XAddArgs().id("3-1"), Map.of(key("e"), key("foreign"))),
                "promised: missing",
                redis -> redis.hdel(key(KEYS.state()), key("promised")),
                "over: x",
                redis -> redis.hset(key(KEYS.state()), key("over"), key("x")));
        damages.forEach((named, damage) -> restoredAfter(damage, () -> isBrokenAndUntouched(append(THIRD), named)));
    }

    @Test
    void foreignEntryThatWasDeletedAgainStillRefusesOurs() {
        RedisCommands<byte[], byte[]> redis = scripts.redis();
        redis.xadd(key(KEYS.ledger()), new XAddArgs().id("9-9"), Map.of(key("e"), key("foreign")));
        redis.xdel(key(KEYS.ledger()), "9-9");

        isBrokenAndUntouched(append(THIRD), "refuses 3-1");
    }

    @Test
    void seatWithoutTimeToLiveIsBroken() {
        scripts.redis().persist(key(KEYS.seat()));
        isBrokenAndUntouched(new Ask.Peek(MEMBER), "no time to live");
        isBrokenAndUntouched(promote(), "no time to live");
    }

    @Test
    void seatThatNobodyOfUsWroteIsBroken() {
        scripts.redis().set(key(KEYS.seat()), key("somebody"), SetArgs.Builder.px(60_000));
        isBrokenAndUntouched(new Ask.Peek(MEMBER), "somebody");
    }

    @Test
    void entryWhoseBytesChangedIsNotHandedOut() {
        RedisCommands<byte[], byte[]> redis = scripts.redis();
        byte[] ledger = key(KEYS.ledger());
        byte[] forged = EntryCodec.encode(entry(FIRST.asHead(), "forged")).toArray();
        redis.xdel(ledger, "2-1");
        redis.hset(key(KEYS.state()), key("ballot"), key("2"));
        redis.dispatch(
                CommandType.XADD,
                new ValueOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE)
                        .addKey(ledger)
                        .add("2-2")
                        .add("e")
                        .add(forged)
                        .add("h")
                        .add(SECOND.hash().toString())
                        .add("s")
                        .add(3));

        isBrokenAndUntouched(new Ask.Range(MEMBER, Height.FIRST, PageLimit.DEFAULT), "expected: its hash");
        // The promise is given, for scripts cannot hash; but the answer is no vote.
        scripts.redis().del(key(KEYS.seat()));
        assertThat(scripts.take(SEAT, new Ask.Promote(MEMBER, NEXT, LEASE, Optional.empty(), Optional.empty())))
                .isInstanceOf(Answer.Broken.class);
    }

    private void everyAskIsBroken(Consumer<RedisCommands<byte[], byte[]>> damage, String named) {
        restoredAfter(damage, () -> {
            everyTipAsk().forEach(ask -> isBrokenAndUntouched(ask, named));
            isBrokenAndUntouched(new Ask.Resign(MEMBER, SEATING.term(), true), named);
            isBrokenAndUntouched(admit(Optional.of(MEMBER)), named);
        });
    }

    private void everyTipAskIsBroken(Consumer<RedisCommands<byte[], byte[]>> damage, String named) {
        restoredAfter(damage, () -> everyTipAsk().forEach(ask -> isBrokenAndUntouched(ask, named)));
    }

    private static List<Ask> everyTipAsk() {
        return List.of(
                promote(),
                append(SECOND),
                new Ask.Rebase(MEMBER, SEATING, entry(new Head(new Height(9), THIRD.hash()), "base"), SET),
                new Ask.Trim(MEMBER, SEATING.term(), new Height(2)),
                new Ask.Peek(MEMBER),
                new Ask.Range(MEMBER, Height.FIRST, PageLimit.DEFAULT),
                new Ask.Recognise(Fsync.LATER));
    }

    private void isBrokenAndUntouched(Ask ask, String named) {
        List<String> before = scripts.dump(SEAT);
        assertThat(scripts.take(SEAT, ask))
                .as(ask::toString)
                .isInstanceOfSatisfying(
                        Answer.Broken.class, broken -> assertThat(broken.why()).contains(named));
        assertThat(scripts.dump(SEAT)).as(ask::toString).isEqualTo(before);
    }

    /** Each damage begins with the same healthy seat. */
    private void restoredAfter(Consumer<RedisCommands<byte[], byte[]>> damage, Runnable check) {
        RedisCommands<byte[], byte[]> redis = scripts.redis();
        List<byte[]> healthy =
                KEYS.all().stream().map(name -> redis.dump(key(name))).toList();
        damage.accept(redis);
        check.run();
        for (int i = 0; i < healthy.size(); i++) {
            byte[] name = key(KEYS.all().get(i));
            redis.del(name);
            redis.restore(name, i == 0 ? LEASE.toMillis() : 0, healthy.get(i));
        }
    }

    private static void retype(RedisCommands<byte[], byte[]> redis, String name) {
        redis.del(key(name));
        redis.lpush(key(name), key("foreign"));
    }

    private Ask admit(Optional<MemberId> insteadOf) {
        return new Ask.Admit(MEMBER, insteadOf, Fsync.ALWAYS, scripts.run(), Optional.empty(), SET, Optional.empty());
    }

    private static Ask promote() {
        return new Ask.Promote(MEMBER, SEATING, LEASE, Optional.empty(), Optional.empty());
    }

    private static Ask append(Entry entry) {
        return new Ask.Append(MEMBER, SEATING, entry, LEASE);
    }

    private static Entry entry(Head after, String payload) {
        return Entry.after(after, SEAT, new Epoch(1), List.of(), Bytes.utf8(payload));
    }
}
