package dev.baton.duty.tokens;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The token service of one node, without a wire. Thread-safe; nothing here blocks.
 *
 * <p>Answers come on the caller's thread if they are known at once, such as refusals and leased tokens, and on the duty
 * thread otherwise; a consumer must not block, and is called exactly once.
 */
public interface Tokens {

    void next(Ask ask, Consumer<Answer> answer);

    /** Makes a namespace, or its shards; answered when that is committed. */
    void create(NamespaceSpec wanted, Consumer<Changed> answer);

    void freeze(String name, boolean frozen, Consumer<Changed> answer);

    /** The namespaces whose names begin so, by name, as far as this node has followed the ledger. */
    List<NamespaceView> namespaces(String prefix);

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
