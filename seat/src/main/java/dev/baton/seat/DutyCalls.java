package dev.baton.seat;

import dev.baton.core.standing.Input;
import dev.baton.duty.BrokenInvariantException;
import dev.baton.duty.TermOverException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Calls a duty off the loop, and brings what came of it back to the loop. */
final class DutyCalls {

    private final DutyRunner runner;
    private final Loop loop;
    private final Consumer<Input> inputs;

    DutyCalls(DutyRunner runner, Loop loop, Consumer<Input> inputs) {
        this.runner = runner;
        this.loop = loop;
        this.inputs = inputs;
    }

    /** A stage of an attempt: answers with the input that the body makes, or with its failure. */
    void stage(long attempt, SeatTenure tenure, Callable<Input> body) {
        call(
                () -> {
                    tenure.check();
                    return body.call();
                },
                inputs,
                failure -> inputs.accept(new Input.WorkFailed(attempt, describe(failure), loop.nanos())));
    }

    /** Runs the body; one of the two consumers hears of its end, on the loop. */
    <R> void call(Callable<R> body, Consumer<R> done, Consumer<Exception> failed) {
        runner.run(() -> {
            try {
                R result = body.call();
                return () -> done.accept(result);
            } catch (BrokenInvariantException e) {
                return broken(describe(e));
            } catch (Exception e) {
                return () -> failed.accept(e);
            } catch (Error e) {
                return broken("the duty broke: " + e);
            }
        });
    }

    private Runnable broken(String what) {
        return () -> inputs.accept(new Input.InvariantBroken(what));
    }

    static String describe(Exception failure) {
        return switch (failure) {
            case InterruptedException ignored -> "interrupted";
            case TermOverException over -> String.valueOf(over.getMessage());
            default -> failure.toString();
        };
    }
}
