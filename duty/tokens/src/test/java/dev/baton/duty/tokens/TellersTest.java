package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.duty.tokens.fixture.HandNode.Told;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that are told by others than the duty's thread, such as the threads of a network. */
class TellersTest {

    private static final int MANY = 1000;

    /** Tells when it is made to. */
    private static final class Teller implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        int waiting() {
            return tasks.size();
        }

        void tell() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }
    }

    private final HandLedger ledger = new HandLedger();
    private final HandNode node = new HandNode("n1", ledger, TokenSettings.DEFAULT);
    private final Teller teller = new Teller();
    private final Teller other = new Teller();

    @BeforeEach
    void lead() {
        node.leadAndOpen(Ending.NONE);
    }

    private void ask(Executor by, Consumer<Answer> answer) {
        node.duty.next(new Ask("orders", 1, Optional.empty(), false), by, answer);
    }

    private Told<Answer> ask(Executor by) {
        Told<Answer> told = new Told<>();
        ask(by, told);
        return told;
    }

    private List<Told<Answer>> askMany(Executor by) {
        return Stream.generate(() -> ask(by)).limit(MANY).toList();
    }

    private Entry commitTheNext() {
        Entry next = node.propose();
        ledger.commit(next);
        return next;
    }

    private Thread releasingTheNext() {
        Entry next = commitTheNext();
        Thread thread = Thread.ofPlatform().start(() -> node.release(next));
        await().until(() -> thread.getState() == Thread.State.WAITING);
        return thread;
    }

    @Test
    void eachTellsAllOfItsCallersInOneGo() {
        List<Told<Answer>> first = askMany(teller);
        List<Told<Answer>> second = askMany(other);
        node.pulse();

        assertThat(first).noneMatch(Told::isTold);
        assertThat(teller.waiting()).isEqualTo(1);
        assertThat(other.waiting()).isEqualTo(1);
        teller.tell();
        assertThat(second).noneMatch(Told::isTold);
        other.tell();
        assertThat(Stream.concat(first.stream(), second.stream()))
                .extracting(told -> ((Answer.Handed) told.answer()).start())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 2 * MANY)
                        .mapToObj(Long::valueOf)
                        .toList());
    }

    @Test
    void othersGetIntoTheNextEntryMeanwhile() {
        List<Told<Answer>> all = askMany(teller);
        node.pulse();
        Told<Answer> later = node.ask("orders", 1);

        Entry next = node.propose();

        assertThat(next.payload().isEmpty()).isFalse();
        assertThat(all).noneMatch(Told::isTold);
        assertThat(later.isTold()).isFalse();
    }

    /** Otherwise a caller with several requests could see the revision, which rises now and then, go back. */
    @Test
    void noneIsToldOfTheNextEntryBeforeAllAreOfThisOne() throws InterruptedException {
        List<Told<Answer>> all = askMany(teller);
        node.pulse();
        Told<Answer> later = node.ask("orders", 1);

        Thread releasing = releasingTheNext();
        assertThat(later.isTold()).isFalse();

        teller.tell();
        releasing.join();
        assertThat(all).allMatch(Told::isTold);
        assertThat(((Answer.Handed) later.answer()).start()).isEqualTo(MANY + 1);
    }

    @Test
    void aTermThatEndsMeanwhileLeavesNobodyWithoutAnAnswer() throws InterruptedException {
        List<Told<Answer>> all = askMany(teller);
        node.pulse();
        Told<Answer> later = node.ask("orders", 1);
        Thread releasing = releasingTheNext();

        releasing.interrupt();
        releasing.join();
        node.stepDown("the lease ran out");

        assertThat(later.answer()).isNotInstanceOf(Answer.Handed.class);
        teller.tell();
        assertThat(all).allMatch(told -> told.answer() instanceof Answer.Handed);
    }

    @Test
    void oneThatTakesNothingMoreLeavesNobodyWithoutAnAnswer() {
        Told<Answer> told = ask(task -> {
            throw new RejectedExecutionException("closed");
        });
        node.pulse();

        assertThat(told.answer()).isInstanceOf(Answer.Handed.class);
    }

    @Test
    void aDefectShowsAtTheNextEntry() {
        ask(teller, answer -> {
            throw new AssertionError("a defect");
        });
        node.pulse();
        teller.tell();
        Entry next = commitTheNext();

        assertThatThrownBy(() -> node.release(next)).hasRootCauseMessage("a defect");
    }
}
