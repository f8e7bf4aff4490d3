package dev.baton.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * What is being told to callers at this moment.
 *
 * <p>Telling runs what callers attached to their futures, and that may block, ask again or close the client. So nobody
 * tells while others depend on it going on; and whoever closes waits for what is being told, but never for what its own
 * thread is telling: that can only go on once it has returned.
 */
final class Tellings {

    private final Executor worker;
    private final Runnable atEachEnd;
    private final Set<Telling> underWay = ConcurrentHashMap.newKeySet();

    Tellings(Executor worker, Runnable atEachEnd) {
        this.worker = worker;
        this.atEachEnd = atEachEnd;
    }

    private final class Telling implements Runnable {
        private final Runnable what;
        private volatile long thread; // 0 as long as it waits for one

        Telling(Runnable what) {
            this.what = what;
        }

        @Override
        public void run() {
            thread = Thread.currentThread().threadId();
            try {
                what.run();
            } finally {
                if (underWay.remove(this)) {
                    atEachEnd.run();
                }
            }
        }
    }

    /** Tells on this thread. */
    void now(Runnable what) {
        Telling telling = new Telling(what);
        underWay.add(telling);
        telling.run();
    }

    /** Tells on a thread of the client, because this one is needed. */
    void soon(Runnable what) {
        Telling telling = new Telling(what);
        underWay.add(telling);
        worker.execute(telling);
    }

    boolean none() {
        return underWay.isEmpty();
    }

    /** Nobody waits any more for what this thread is telling. */
    void leaveOutThisThread() {
        long self = Thread.currentThread().threadId();
        if (underWay.removeIf(telling -> telling.thread == self)) {
            atEachEnd.run();
        }
    }
}
