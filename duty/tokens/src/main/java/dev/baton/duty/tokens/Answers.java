package dev.baton.duty.tokens;

import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.duty.tokens.state.Decision;
import dev.baton.duty.tokens.state.Drafting;
import dev.baton.duty.tokens.state.Shape;
import dev.baton.duty.tokens.state.TokenState;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what was decided into answers, counts them, and bears with callers who fail to take them. Thread-safe. */
final class Answers {

    private static final Logger log = LoggerFactory.getLogger(Answers.class);

    private final Counters counters;
    private final Supplier<Optional<String>> holderAddress;

    Answers(Counters counters, Supplier<Optional<String>> holderAddress) {
        this.counters = counters;
        this.holderAddress = holderAddress;
    }

    /** The entry is committed. */
    void tell(Waiter.ForTokens waiter, Entry entry, long revision) {
        switch (waiter.decision()) {
            case Decision.Reserved(Shape shape, long first, long count, boolean repeated) ->
                tell(waiter, handed(shape, first, count, revision, entry.author(), entry.height(), repeated));
            case Decision.Known(Shape shape, long first, long count, Epoch epoch, Height height) ->
                tell(waiter, handed(shape, first, count, revision, epoch, height, true));
            case Decision.Refused(Refusal reason, String message) -> tell(waiter, new Answer.Refused(reason, message));
            case Decision.FromLease ignored -> throw new IllegalStateException(waiter.ask() + " is for the desk");
            case null -> throw new IllegalStateException("nothing was decided about " + waiter.ask());
        }
    }

    private static Answer handed(
            Shape shape, long first, long count, long revision, Epoch epoch, Height height, boolean duplicate) {
        return new Answer.Handed(
                shape.name(),
                shape.token(first),
                shape.end(first, count),
                shape.step(),
                revision,
                epoch,
                height,
                duplicate);
    }

    void tell(Waiter.ForTokens waiter, Answer answer) {
        counters.answered(answer, waiter.ask().count());
        safely(() -> waiter.tell(answer));
    }

    void tell(Waiter.ForChange waiter, Entry entry, TokenState state) {
        Changed told = switch (waiter.change()) {
            case Drafting.Change.Made(List<Integer> namespaces) ->
                new Changed.Done(namespaces.stream().map(state::view).toList(), entry.height());
            case Drafting.Change.No(Decision.Refused(Refusal reason, String message)) -> {
                counters.refused(reason);
                yield new Changed.Refused(reason, message);
            }
            case null -> throw new IllegalStateException("nothing was decided about a change");
        };
        safely(() -> waiter.tell(told));
    }

    /** The term ended while an entry was under way that this waiter is in. */
    void unfinished(Waiter waiter, String why) {
        if (waiter.mayHaveGot()) {
            safely(() -> waiter.tellUnknown(why, holderAddress.get()));
        } else {
            notHolder(waiter);
        }
    }

    void notHolder(Waiter waiter) {
        safely(() -> waiter.tellNotHolder(holderAddress.get()));
    }

    /** One caller's defect must not cost the others their answers. */
    void safely(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException e) {
            log.warn("An answer could not be delivered; its caller has to ask again", e);
        }
    }
}
