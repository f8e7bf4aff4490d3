package dev.baton.authority.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.script.Replies;
import dev.baton.authority.redis.script.ScriptCall;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One call of a script on its way. It knows whether its bytes may have left us: that is what tells Lost from Unsent. */
final class ScriptCommand extends Command<byte[], byte[], List<Object>> {

    /**
     * Redis refuses with these before a script begins, or at its first write: nothing was done. (Every script's first
     * write is one that a Redis without memory or disk refuses, or no later one is refused either.)
     */
    private static final List<String> NOT_DONE =
            List.of("LOADING", "BUSY ", "NOAUTH", "READONLY", "MASTERDOWN", "OOM ", "MISCONF");

    private final Line line;
    private final ScriptCall call;
    private final Replies replies;
    private final CompletableFuture<Answer> answer;
    private final int bytes;
    private final long sentNanos;
    private final long deadlineNanos;
    private volatile boolean encoded;

    /** By the script's digest. */
    ScriptCommand(Line line, ScriptCall call, Replies replies, long sentNanos, long deadlineNanos) {
        this(
                line,
                call,
                replies,
                sentNanos,
                deadlineNanos,
                CommandType.EVALSHA,
                call.script().digest(),
                new CompletableFuture<>());
    }

    private ScriptCommand(
            Line line,
            ScriptCall call,
            Replies replies,
            long sentNanos,
            long deadlineNanos,
            CommandType type,
            String script,
            CompletableFuture<Answer> answer) {
        super(type, new ArrayOutput<>(ByteArrayCodec.INSTANCE), arguments(script, call));
        this.line = line;
        this.call = call;
        this.replies = replies;
        this.answer = answer;
        this.bytes = call.bytes();
        this.sentNanos = sentNanos;
        this.deadlineNanos = deadlineNanos;
    }

    private static CommandArgs<byte[], byte[]> arguments(String script, ScriptCall call) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(script.getBytes(UTF_8))
                .add(call.keys().size());
        call.keys().forEach(arguments::addKey);
        call.arguments().forEach(arguments::add);
        return arguments;
    }

    /** The same call with the script's text, for a Redis that has forgotten the script; perhaps it is another process now. */
    private ScriptCommand withSource() {
        return new ScriptCommand(
                line,
                call.over(""),
                replies,
                sentNanos,
                deadlineNanos,
                CommandType.EVAL,
                call.script().source(),
                answer);
    }

    CompletableFuture<Answer> answer() {
        return answer;
    }

    int bytes() {
        return bytes;
    }

    boolean isLate(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    long ageMillis(long nowNanos) {
        return (nowNanos - sentNanos) / 1_000_000;
    }

    long overdueNanos(long nowNanos) {
        return nowNanos - deadlineNanos;
    }

    @Override
    public void encode(ByteBuf buffer) {
        encoded = true;
        super.encode(buffer);
    }

    @Override
    public void complete() {
        super.complete();
        line.done(this);
        String error = getOutput().getError();
        if (error == null) {
            answer.complete(replies.read(getOutput().get()));
        } else if (error.startsWith("NOSCRIPT")) {
            if (!answer.isDone()) {
                line.sendAgain(withSource());
            }
        } else {
            String why = line.address() + ": " + error;
            answer.complete(
                    NOT_DONE.stream().anyMatch(error::startsWith) ? new Answer.Unsent(why) : new Answer.Lost(why));
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean first = super.completeExceptionally(failure);
        fail(Connecting.reason(failure));
        return first;
    }

    @Override
    public void cancel() {
        super.cancel();
        fail("connection lost");
    }

    private void fail(String reason) {
        line.done(this);
        String why = line.address() + ": " + reason;
        answer.complete(encoded ? new Answer.Lost(why) : new Answer.Unsent(why));
    }
}
