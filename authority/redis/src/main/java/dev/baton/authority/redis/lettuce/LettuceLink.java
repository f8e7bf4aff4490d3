package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.script.Replies;
import dev.baton.authority.redis.script.ScriptCall;
import dev.baton.authority.redis.script.ScriptCalls;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One seat's way to one node. Its answers come on a thread of the network, which must not be held up. */
final class LettuceLink implements Link {

    /** A page takes longer than a word: so many bytes are given a millisecond more. */
    private static final int BYTES_PER_MILLI = 16 << 10;

    private final RedisNode node;
    private final ScriptCalls calls;
    private final Replies replies;
    private final Duration nodeTimeout;

    LettuceLink(RedisNode node, ScriptCalls calls, Replies replies, Duration nodeTimeout) {
        this.node = node;
        this.calls = calls;
        this.replies = replies;
        this.nodeTimeout = nodeTimeout;
    }

    @Override
    public String address() {
        return node.address();
    }

    @Override
    public CompletionStage<Answer> ask(Ask ask, Lane lane) {
        ScriptCall call;
        try {
            call = calls.of(ask);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(new Answer.Unsent(address() + ": " + e.getMessage()));
        }
        return node.line(lane).ask(call, replies, patience(ask, call));
    }

    private Duration patience(Ask ask, ScriptCall call) {
        int expected = ask instanceof Ask.Range range ? range.limit().bytes() : 0;
        return nodeTimeout.plusMillis(Math.max(call.bytes(), expected) / BYTES_PER_MILLI);
    }

    @Override
    public Fsync fsync() {
        return node.fsync();
    }

    @Override
    public String runId() {
        return node.runId();
    }
}
