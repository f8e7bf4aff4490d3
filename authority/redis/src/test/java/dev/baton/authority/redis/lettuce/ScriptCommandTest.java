package dev.baton.authority.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.script.Replies;
import dev.baton.authority.redis.script.ScriptCalls;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost and Unsent must not be confused: an ask that may have been done must never be told to be undone. */
final class ScriptCommandTest {

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final Line line = new Line("a:1", Line.Limits.EXPRESS, timer, (connection, why) -> {});

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void whatWasNeverEncodedIsUnsent() {
        ScriptCommand cancelled = command();
        cancelled.cancel();
        assertThat(cancelled.answer()).isCompletedWithValueMatching(Answer.Unsent.class::isInstance);

        ScriptCommand failed = command();
        failed.completeExceptionally(new IOException("broken pipe"));
        assertThat(failed.answer()).isCompletedWithValue(new Answer.Unsent("a:1: broken pipe"));
    }

    @Test
    void whatWasEncodedMayHaveArrived() {
        ScriptCommand cancelled = encoded();
        cancelled.cancel();
        assertThat(cancelled.answer()).isCompletedWithValueMatching(Answer.Lost.class::isInstance);

        ScriptCommand failed = encoded();
        failed.completeExceptionally(new IOException("broken pipe"));
        assertThat(failed.answer()).isCompletedWithValue(new Answer.Lost("a:1: broken pipe"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOADING Redis is loading the dataset in memory",
                "BUSY Redis is busy running a script",
                "READONLY You can't write against a read only replica.",
                "OOM command not allowed when used memory > 'maxmemory'."
            })
    void refusalBeforeAnythingWasDoneIsUnsent(String error) {
        ScriptCommand command = encoded();
        command.getOutput().setError(error);
        command.complete();
        assertThat(command.answer()).isCompletedWithValue(new Answer.Unsent("a:1: " + error));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR Error running script", "NOPERM ACL failure in script"})
    void errorFromWithinMayHaveDoneHalf(String error) {
        ScriptCommand command = encoded();
        command.getOutput().setError(error);
        command.complete();
        assertThat(command.answer()).isCompletedWithValue(new Answer.Lost("a:1: " + error));
    }

    @Test
    void answerThatDoesNotBelongToTheCallIsNotBelieved() {
        ScriptCommand command = encoded();
        command.getOutput().multi(2);
        command.getOutput().set(StandardCharsets.UTF_8.encode("0".repeat(40)));
        command.getOutput().set(StandardCharsets.UTF_8.encode("ACCEPTED"));
        command.complete();
        assertThat(command.answer()).isCompletedWithValueMatching(Answer.Lost.class::isInstance);
    }

    private ScriptCommand encoded() {
        ScriptCommand command = command();
        command.encode(Unpooled.buffer());
        return command;
    }

    private ScriptCommand command() {
        return new ScriptCommand(
                line,
                new ScriptCalls(SeatAtNode.SEAT).of(SeatAtNode.peek()).over(""),
                new Replies(SeatAtNode.SEAT),
                0,
                0);
    }
}
