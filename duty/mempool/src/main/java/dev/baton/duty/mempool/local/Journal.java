package dev.baton.duty.mempool.local;

import dev.baton.core.Hash;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.Point;
import org.jspecify.annotations.Nullable;

/** Hears of every change of a pool's state; what it heard since the last commit counts only together. */
interface Journal extends AutoCloseable {

    void live(LiveTransaction transaction);

    void gone(Hash hash);

    void ended(FinalizedTransaction transaction);

    void forgotten(long number);

    void happened(Event event);

    void eventForgotten(long id);

    void block(long height, Point point);

    void blockForgotten(long height);

    void counters(Counters counters);

    void work(@Nullable Work work);

    void commit();

    @Override
    void close();

    /** For a pool that lives and dies with its process. */
    Journal NONE = new Journal() {
        @Override
        public void live(LiveTransaction transaction) {}

        @Override
        public void gone(Hash hash) {}

        @Override
        public void ended(FinalizedTransaction transaction) {}

        @Override
        public void forgotten(long number) {}

        @Override
        public void happened(Event event) {}

        @Override
        public void eventForgotten(long id) {}

        @Override
        public void block(long height, Point point) {}

        @Override
        public void blockForgotten(long height) {}

        @Override
        public void counters(Counters counters) {}

        @Override
        public void work(@Nullable Work work) {}

        @Override
        public void commit() {}

        @Override
        public void close() {}
    };
}
