package dev.baton.duty.tokens;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The token service of one node, without a wire. Thread-safe; nothing here blocks.
 *
 * <p>Answers come on the caller's thread if they are known at once, such as refusals and leased tokens, and on the duty
 * thread otherwise; a consumer must not block, and is called exactly once.
 */
public interface Tokens {

    default void next(Ask ask, Consumer<Answer> answer) {
        next(ask, Runnable::run, answer);
    }

    /**
     * The same, but what takes a commit is told by that executor. All whom an entry answers there are told in one task, so
     * that a thread of the network sends their answers together.
     */
    void next(Ask ask, Executor teller, Consumer<Answer> answer);

    /** Makes a namespace, or its shards; answered when that is committed. */
    void create(NamespaceSpec wanted, Consumer<Changed> answer);

    void freeze(String name, boolean frozen, Consumer<Changed> answer);

    /** The namespaces whose names begin so, by name, as far as this node has followed the ledger. */
    List<NamespaceView> namespaces(String prefix);

    /** The first so many of them: with very many namespaces, nobody may hold up a commit to see a few. */
    default List<NamespaceView> namespaces(String prefix, int limit) {
        return namespaces(prefix).stream().limit(limit).toList();
    }

    default int namespaceCount() {
        return namespaces("").size();
    }

    /** The namespace of exactly this name. */
    default Optional<NamespaceView> namespace(String name) {
        return namespaces(name).stream()
                .filter(view -> view.name().equals(name))
                .findFirst();
    }

    Optional<NamespaceHistory> history(String name);

    /** Counts since this node started, and what waits now. */
    TokenFigures figures();

    /** Calls back, once, when the term that holds now is over; at once if none does. */
    void whenTermEnds(Consumer<String> told);
}
