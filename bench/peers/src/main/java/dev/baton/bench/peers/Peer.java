package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;

/** Somebody else's way to the next number. */
interface Peer extends AutoCloseable {

    /** What the caller of this index asks, one question after the other. */
    AsyncCall caller(int index);

    @Override
    void close() throws Exception;
}
