package dev.baton.authority.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.script.Replies;
import dev.baton.authority.redis.script.SealedCall;
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
            List.of("NOSCRIPT", "LOADING", "BUSY ", "NOAUTH", "READONLY", "MASTERDOWN", "OOM ", "MISCONF");

    private final Line line;
    private final SealedCall call;
    private final Replies replies;
    private final CompletableFuture<Answer> answer;
    private final int bytes;
    private final boolean again;
    private final long sentNanos;
    private final long deadlineNanos;
    private volatile boolean encoded;

    ScriptCommand(Line line, SealedCall call, Replies replies, long sentNanos, long deadlineNanos) {
        this(line, call, replies, sentNanos, deadlineNanos, false, new CompletableFuture<>());
    }

    private ScriptCommand(
            Line line,
            SealedCall call,
            Replies replies,
            long sentNanos,
            long deadlineNanos,
            boolean again,
            CompletableFuture<Answer> answer) {
        super(CommandType.EVALSHA, new ArrayOutput<>(ByteArrayCodec.INSTANCE), arguments(call));
        this.line = line;
        this.call = call;
        this.replies = replies;
        this.answer = answer;
        this.bytes = call.unbound().bytes();
        this.again = again;
        this.sentNanos = sentNanos;
        this.deadlineNanos = deadlineNanos;
    }

    private static CommandArgs<byte[], byte[]> arguments(SealedCall call) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(call.script().digest().getBytes(UTF_8))
                .add(call.keys().size());
        call.keys().forEach(arguments::addKey);
        call.arguments().forEach(arguments::add);
        return arguments;
    }

    /**
     * The same call once more, behind the script's text, for a Redis that has forgotten the script; perhaps it is another
     * process now. By digest again: a text that was changed on the way is another script, and nobody calls it.
     */
    private void sendAgain() {
        line.load(call.script());
        line.sendAgain(
                new ScriptCommand(line, call.unbound().over(""), replies, sentNanos, deadlineNanos, true, answer));
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
            take(getOutput().get());
        } else if (error.startsWith("NOSCRIPT") && !again) {
            if (!answer.isDone()) {
                sendAgain();
            }
        } else {
            String why = line.address() + ": " + error;
            answer.complete(
                    NOT_DONE.stream().anyMatch(error::startsWith) ? new Answer.Unsent(why) : new Answer.Lost(why));
        }
    }

    private void take(List<Object> reply) {
        if (call.isAnsweredBy(reply)) {
            answer.complete(replies.read(reply));
        } else {
            String why = "an answer came with other bytes than it was sent with";
            answer.complete(new Answer.Lost(line.address() + ": " + why));
            line.distrust(why);
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
