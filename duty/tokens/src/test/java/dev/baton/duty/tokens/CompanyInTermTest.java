package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Era;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.duty.tokens.fixture.HandTenure;
import dev.baton.duty.tokens.state.TokenState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A term whose next entry waits for those who were just answered. */
class CompanyInTermTest {

    private static final int CALLERS = 16;
    private static final Duration COMMIT = Duration.ofHours(1); // longer than any test

    private final HandLedger ledger = new HandLedger();
    private final HandTenure tenure = new HandNode("n1", ledger, TokenSettings.DEFAULT).lead(Ending.NONE);
    private final TokenState state = new TokenState();
    private final TokenTerm term = new TokenTerm(
            tenure,
            TokenSettings.DEFAULT,
            Era.FIRST,
            "",
            ledger.nanos::get,
            ledger.nanos.get(),
            new Company(COMMIT.toNanos()),
            new Answers(new Counters(), Optional::empty));
    private final AtomicInteger answered = new AtomicInteger();

    private void ask() {
        Ask one = new Ask("orders", 1, Optional.empty(), false);
        assertThat(term.room().enter(new Waiter.ForTokens(one, Runnable::run, answer -> answered.incrementAndGet())))
                .isTrue();
    }

    private void askAll() {
        for (int i = 0; i < CALLERS; i++) {
            ask();
        }
    }

    private void commit(Bytes payload) {
        ledger.nanos.addAndGet(COMMIT.toNanos());
        Entry entry = Entry.after(ledger.head(), HandLedger.SEAT, tenure.term().epoch(), List.of(), payload);
        ledger.commit(entry);
        state.apply(entry);
        term.released(entry, state);
    }

    /** All are answered, and the next entry is being drafted on a thread of its own. */
    private CompletableFuture<Bytes> drafting() {
        askAll();
        commit(term.draft(state));
        assertThat(answered).hasValue(CALLERS);
        CompletableFuture<Bytes> drafted = new CompletableFuture<>();
        Thread duty = Thread.ofPlatform().start(() -> {
            try {
                drafted.complete(term.draft(state));
            } catch (RuntimeException e) {
                drafted.completeExceptionally(e);
            }
        });
        await().until(() -> duty.getState() == Thread.State.TIMED_WAITING);
        return drafted;
    }

    @BeforeEach
    void open() {
        commit(term.draft(state));
    }

    @Test
    void theNextEntryWaitsForAllWhoWereAnsweredAndTakesThemUp() {
        CompletableFuture<Bytes> drafted = drafting();
        askAll();
        await().until(drafted::isDone);
        commit(drafted.join());
        assertThat(answered).hasValue(2 * CALLERS);
    }

    @Test
    void aTermThatEndsLetsItGo() {
        CompletableFuture<Bytes> drafted = drafting();
        ask();
        term.end("the lease ran out");
        await().until(drafted::isDone);
        assertThat(drafted).isCompletedExceptionally();
        assertThat(answered).hasValue(CALLERS + 1);
    }
}
