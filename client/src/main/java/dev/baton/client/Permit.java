package dev.baton.client;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The circuit breaker's leave for one request, with all its tries.
 *
 * <p>The breaker must hear exactly once what came of it: more often would count one request as several, and never would
 * keep one of its few probes for ever. The first report counts, whoever makes it.
 */
final class Permit {

    private final Breaker breaker;
    private final AtomicBoolean reported = new AtomicBoolean();

    Permit(Breaker breaker) {
        this.breaker = breaker;
    }

    /** Some node answered with substance, be it a refusal: the service is there. */
    void answered() {
        if (reported.compareAndSet(false, true)) {
            breaker.answered();
        }
    }

    /** No try got an answer of substance. */
    void failed(Throwable why) {
        if (reported.compareAndSet(false, true)) {
            breaker.failed(why);
        }
    }

    /** It ended without saying anything about the service. */
    void undecided() {
        if (reported.compareAndSet(false, true)) {
            breaker.undecided();
        }
    }

    /** What is to be reported of a request whose last try ended so. */
    void ended(Verdict last) {
        switch (last) {
            case Verdict.GiveUp giveUp -> answered();
            case Verdict.GoTo goTo -> undecided();
            case Verdict.TryAgain again -> {
                if (again.isAnswer()) {
                    answered();
                } else {
                    failed(again.why());
                }
            }
        }
    }
}
