package dev.baton.duty.tokens;

import dev.baton.duty.tokens.state.Decision;
import dev.baton.duty.tokens.state.Drafting;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Somebody who waits for a commit. What was decided is void until then, and decided anew if the draft is made anew. */
sealed interface Waiter {

    /** Whether the entry under way would have given something that a repetition might give again. */
    boolean mayHaveGot();

    void tellNotHolder(Optional<String> address);

    void tellUnknown(String why, Optional<String> address);

    /** Somebody who wants tokens. */
    final class ForTokens implements Waiter {
        private final Ask ask;
        private final Executor teller;
        private final Consumer<Answer> answer;
        private @Nullable Decision decision;

        /**
         * @param teller tells what was committed
         */
        ForTokens(Ask ask, Executor teller, Consumer<Answer> answer) {
            this.ask = ask;
            this.teller = teller;
            this.answer = answer;
        }

        Executor teller() {
            return teller;
        }

        Ask ask() {
            return ask;
        }

        @Nullable
        Decision decision() {
            return decision;
        }

        void decide(Decision decided) {
            decision = decided;
        }

        void tell(Answer told) {
            answer.accept(told);
        }

        @Override
        public boolean mayHaveGot() {
            return decision instanceof Decision.Reserved;
        }

        @Override
        public void tellNotHolder(Optional<String> address) {
            tell(new Answer.NotHolder(address));
        }

        @Override
        public void tellUnknown(String why, Optional<String> address) {
            tell(new Answer.Unknown(why, address));
        }
    }

    /** Somebody who wants a namespace made or frozen. */
    final class ForChange implements Waiter {

        /** What is wanted, as the batch takes it up. */
        interface Wish {
            Drafting.Change in(Drafting drafting);
        }

        private final Wish wish;
        private final Consumer<Changed> answer;
        private Drafting.@Nullable Change change;

        ForChange(Wish wish, Consumer<Changed> answer) {
            this.wish = wish;
            this.answer = answer;
        }

        void decide(Drafting drafting) {
            change = wish.in(drafting);
        }

        Drafting.@Nullable Change change() {
            return change;
        }

        void tell(Changed told) {
            answer.accept(told);
        }

        @Override
        public boolean mayHaveGot() {
            return change instanceof Drafting.Change.Made;
        }

        @Override
        public void tellNotHolder(Optional<String> address) {
            tell(new Changed.NotHolder(address));
        }

        @Override
        public void tellUnknown(String why, Optional<String> address) {
            tell(new Changed.Unknown(why, address));
        }
    }
}
