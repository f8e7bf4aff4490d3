package dev.baton.duty.tokens.rpc;

/** Is told what came of calls, so that somebody can count them. Called on any thread; must be quick. */
public interface TokenMeter {

    /** Measures nothing. */
    TokenMeter NONE = new TokenMeter() {
        @Override
        public void handed(String namespace, long tookNanos) {}

        @Override
        public void unavailable() {}
    };

    /** A single request was answered with tokens; what streams hand out is not timed. */
    void handed(String namespace, long tookNanos);

    /** A request came to a node that does not hold the seat, or lost it meanwhile. */
    void unavailable();
}
