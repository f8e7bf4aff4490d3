package dev.baton.duty.tokens.rpc;

import dev.baton.duty.tokens.Tokens;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The streams that are open, and one ear for the end of the term on behalf of all of them: were each to listen, those
 * that are long over would pile up until the term ends. Thread-safe.
 */
final class OpenStreams {

    private final Tokens tokens;
    private final Set<TokenStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean watching = new AtomicBoolean();

    OpenStreams(Tokens tokens) {
        this.tokens = tokens;
    }

    void add(TokenStream stream) {
        streams.add(stream);
    }

    void remove(TokenStream stream) {
        streams.remove(stream);
    }

    int count() {
        return streams.size();
    }

    /** Called by a stream after it was added, so that it is told by whoever watches already. */
    void watchTerm() {
        if (watching.compareAndSet(false, true)) {
            tokens.whenTermEnds(why -> {
                watching.set(false);
                streams.forEach(stream -> stream.termEnded(why));
            });
        }
    }
}
