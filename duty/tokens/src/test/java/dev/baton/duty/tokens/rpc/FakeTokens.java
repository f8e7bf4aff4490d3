package dev.baton.duty.tokens.rpc;

import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.duty.tokens.Answer;
import dev.baton.duty.tokens.Ask;
import dev.baton.duty.tokens.Changed;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceHistory;
import dev.baton.duty.tokens.NamespaceSpec;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.RequestId;
import dev.baton.duty.tokens.TokenFigures;
import dev.baton.duty.tokens.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tokens without a ledger: counts up at once, or does what a test says. */
final class FakeTokens implements Tokens {

    /** A request whose answer a test gives. */
    record Held(Ask ask, Consumer<Answer> answer) {}

    private final Map<RequestId, Answer.Handed> remembered = new HashMap<>();
    private final List<Ask> asks = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Consumer<String>> termEars = new ArrayList<>();
    private @Nullable Answer scripted;
    private @Nullable Changed change;
    private @Nullable NamespaceSpec wanted;
    private List<NamespaceView> views = List.of();
    private Optional<NamespaceHistory> history = Optional.empty();
    private Guarantee guarantee = Guarantee.STRICT;
    private boolean holding;
    private long nextToken = 1;
    private int mostHeld;

    synchronized void answerWith(Answer answer) {
        scripted = answer;
    }

    synchronized void changeWith(Changed answer) {
        change = answer;
    }

    synchronized void show(List<NamespaceView> shown, Optional<NamespaceHistory> past) {
        views = shown;
        history = past;
    }

    /** What every namespace is. */
    synchronized void guarantee(Guarantee all) {
        guarantee = all;
    }

    synchronized void hold(boolean on) {
        holding = on;
    }

    synchronized int asked() {
        return asks.size();
    }

    synchronized Ask lastAsk() {
        return asks.getLast();
    }

    synchronized NamespaceSpec wanted() {
        return Objects.requireNonNull(wanted);
    }

    synchronized int held() {
        return held.size();
    }

    synchronized int mostHeld() {
        return mostHeld;
    }

    synchronized int termEars() {
        return termEars.size();
    }

    /** Takes the held request at this place; the test answers it. */
    synchronized Held take(int index) {
        return held.remove(index);
    }

    synchronized Answer.Handed handed(Ask ask) {
        Answer.Handed before = ask.id().map(remembered::get).orElse(null);
        if (before != null) {
            return new Answer.Handed(
                    before.namespace(), before.start(), before.end(), 1, 3, before.epoch(), before.height(), true);
        }
        Answer.Handed fresh = new Answer.Handed(
                ask.namespace(), nextToken, nextToken + ask.count(), 1, 3, new Epoch(7), new Height(42), false);
        nextToken += ask.count();
        ask.id().ifPresent(id -> remembered.put(id, fresh));
        return fresh;
    }

    void endTerm(String why) {
        List<Consumer<String>> told;
        synchronized (this) {
            told = List.copyOf(termEars);
            termEars.clear();
        }
        told.forEach(ear -> ear.accept(why));
    }

    @Override
    public void next(Ask ask, Executor teller, Consumer<Answer> answer) {
        Answer now;
        synchronized (this) {
            asks.add(ask);
            if (holding) {
                held.add(new Held(ask, answer));
                mostHeld = Math.max(mostHeld, held.size());
                return;
            }
            now = scripted == null ? handed(ask) : scripted;
        }
        answer.accept(now);
    }

    @Override
    public synchronized void create(NamespaceSpec spec, Consumer<Changed> answer) {
        wanted = spec;
        answer.accept(Objects.requireNonNull(change));
    }

    @Override
    public synchronized void freeze(String name, boolean frozen, Consumer<Changed> answer) {
        answer.accept(Objects.requireNonNull(change));
    }

    @Override
    public synchronized List<NamespaceView> namespaces(String prefix) {
        return views.stream().filter(view -> view.name().startsWith(prefix)).toList();
    }

    @Override
    public synchronized Optional<NamespaceView> namespace(String name) {
        return Optional.of(new NamespaceView(
                name,
                guarantee,
                1,
                1,
                Long.MAX_VALUE - 1,
                1_000_000,
                false,
                OptionalLong.of(nextToken),
                nextToken - 1,
                Height.FIRST,
                OptionalInt.empty()));
    }

    @Override
    public synchronized Optional<NamespaceHistory> history(String name) {
        return history.filter(past -> past.name().equals(name));
    }

    @Override
    public TokenFigures figures() {
        return new TokenFigures(0, Map.of(), 0, 0, 0, Map.of(), 0, 0);
    }

    @Override
    public synchronized void whenTermEnds(Consumer<String> told) {
        termEars.add(told);
    }
}
