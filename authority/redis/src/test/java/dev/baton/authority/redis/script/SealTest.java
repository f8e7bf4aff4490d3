package dev.baton.authority.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever byte of a call or of an answer's head is changed on the way: nothing is done, nothing is believed. */
final class SealTest {

    private static final SeatId SEAT = SeatId.of("acme", "blocks");
    private static final MemberId MEMBER = new MemberId("00000000000000aa");
    private static final MemberSet SET = MemberSet.of(new Member(MEMBER, "a:1"));
    private static final Seating SEATING =
            new Seating(new Term(new Epoch(1), new Holder(new NodeId("n1"), new Incarnation(7))), "n1:9000");
    private static final Duration LEASE = Duration.ofHours(1);
    private static final Entry FIRST = Entry.after(Head.GENESIS, SEAT, new Epoch(1), List.of(), payload("one"));
    private static final Entry SECOND = Entry.after(FIRST.asHead(), SEAT, new Epoch(1), List.of(), payload("two"));

    @TempDir
    private Path dir;

    private RedisServer server;
    private ScriptRunner scripts;

    @BeforeEach
    void start() {
        server = RedisServer.in(dir).inMemory().start();
        scripts = new ScriptRunner(server.address(), server.info("server", "run_id"));
        Ask admit = new Ask.Admit(
                MEMBER, Optional.empty(), Fsync.ALWAYS, scripts.run(), Optional.empty(), SET, Optional.empty());
        assertThat(scripts.take(SEAT, admit)).isEqualTo(new Answer.Done());
        assertThat(scripts.take(SEAT, promote())).isInstanceOf(Answer.Granted.class);
        assertThat(scripts.take(SEAT, append(FIRST))).isEqualTo(new Answer.Accepted());
    }

    @AfterEach
    void stop() {
        scripts.close();
        server.close();
    }

    @Test
    void callThatWasChangedOnTheWayIsNotDone() {
        List<String> before = scripts.dump(SEAT);
        for (Ask ask : List.of(promote(), append(SECOND), new Ask.Trim(MEMBER, SEATING.term(), Height.FIRST))) {
            SealedCall call = new ScriptCalls(SEAT).of(ask).over(scripts.run());
            for (byte[] part : call.arguments()) {
                for (int at = 0; at < part.length; at++) {
                    List<?> answer = withFlip(part, at, () -> scripts.send(call));
                    assertThat(new Replies(SEAT).read(answer))
                            .as("%s with byte %d of '%s' changed", ask, at, new String(part, UTF_8))
                            .isInstanceOf(Answer.Unsent.class);
                }
            }
        }
        assertThat(scripts.dump(SEAT)).isEqualTo(before);
    }

    @Test
    void answerThatWasChangedOnTheWayIsNotBelieved() {
        for (Ask ask : List.of(promote(), append(SECOND), new Ask.Range(MEMBER, Height.FIRST, PageLimit.DEFAULT))) {
            SealedCall call = new ScriptCalls(SEAT).of(ask).over(scripts.run());
            List<?> answer = scripts.send(call);
            assertThat(call.isAnsweredBy(answer)).isTrue();
            int sealed = Math.min(answer.size(), 15);
            // A single word is only compared: what is not one of ours is no answer.
            for (int part = 0; part < (sealed == 2 ? 1 : sealed); part++) {
                byte[] bytes = (byte[]) answer.get(part);
                for (int at = 0; at < bytes.length; at++) {
                    assertThat(withFlip(bytes, at, () -> call.isAnsweredBy(answer)))
                            .as("%s with byte %d of part %d of its answer changed", ask, at, part)
                            .isFalse();
                }
            }
            assertThat(call.isAnsweredBy(answer.subList(0, sealed - 1)))
                    .as("an answer to %s that was cut short", ask)
                    .isFalse();
        }
    }

    @Test
    void answerToOneCallIsNotTakenForAnothers() {
        SealedCall first = new ScriptCalls(SEAT).of(append(FIRST)).over(scripts.run());
        SealedCall second = new ScriptCalls(SEAT).of(append(SECOND)).over(scripts.run());
        List<?> answer = scripts.send(first);

        assertThat(second.isAnsweredBy(answer)).isFalse();
    }

    private static <T> T withFlip(byte[] bytes, int at, Supplier<T> doing) {
        bytes[at] ^= 1;
        try {
            return doing.get();
        } finally {
            bytes[at] ^= 1;
        }
    }

    private static Ask promote() {
        return new Ask.Promote(MEMBER, SEATING, LEASE, Optional.empty(), Optional.empty());
    }

    private static Ask append(Entry entry) {
        return new Ask.Append(MEMBER, SEATING, entry, LEASE);
    }

    private static Bytes payload(String text) {
        return Bytes.utf8(text);
    }
}
