package dev.baton.duty.mempool.local;

import dev.baton.core.Hash;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.UnavailableException;
import java.nio.file.Path;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a pool in a file of H2's MVStore.
 *
 * <p>MVStore, because it is a store of plain Java in one small jar, is kept by the H2 project, and commits several maps
 * together: a file that was cut short goes back to its last commit as a whole. A journal commits once per step and waits
 * for the disk.
 */
final class MvStoreJournal implements Journal {

    private static final String COUNTERS = "counters";
    private static final String WORK = "work";

    private final MVStore store;
    private final MVMap<String, byte[]> live;
    private final MVMap<Long, byte[]> ended;
    private final MVMap<Long, byte[]> events;
    private final MVMap<Long, byte[]> points;
    private final MVMap<String, byte[]> state;

    private MvStoreJournal(MVStore store) {
        this.store = store;
        this.live = store.openMap("live");
        this.ended = store.openMap("finalized");
        this.events = store.openMap("events");
        this.points = store.openMap("points");
        this.state = store.openMap("state");
    }

    static MvStoreJournal open(Path file) {
        try {
            // Without auto-commit: it could write half a step.
            return new MvStoreJournal(new MVStore.Builder()
                    .fileName(file.toString())
                    .autoCommitDisabled()
                    .open());
        } catch (MVStoreException e) {
            throw new UnavailableException(
                    file + ": " + e.getMessage() + " (expected: a pool that no other process has open)", false, e);
        }
    }

    void restore(PoolTables tables) {
        byte[] counters = state.get(COUNTERS);
        byte[] work = state.get(WORK);
        tables.restore(
                counters == null ? Counters.ZERO : Records.counters(counters),
                work == null ? null : Records.work(work));
        live.values().forEach(record -> tables.restore(Records.live(record)));
        ended.values().forEach(record -> tables.restore(Records.ended(record)));
        events.values().forEach(record -> tables.restore(Records.event(record)));
        points.forEach((height, record) -> tables.restore(height, Records.point(record)));
    }

    @Override
    public void live(LiveTransaction transaction) {
        live.put(Records.key(transaction.hash()), Records.encode(transaction));
    }

    @Override
    public void gone(Hash hash) {
        live.remove(Records.key(hash));
    }

    @Override
    public void ended(FinalizedTransaction transaction) {
        ended.put(transaction.number(), Records.encode(transaction));
    }

    @Override
    public void forgotten(long number) {
        ended.remove(number);
    }

    @Override
    public void happened(Event event) {
        events.put(event.id(), Records.encode(event));
    }

    @Override
    public void eventForgotten(long id) {
        events.remove(id);
    }

    @Override
    public void block(long height, Point point) {
        points.put(height, Records.encode(point));
    }

    @Override
    public void blockForgotten(long height) {
        points.remove(height);
    }

    @Override
    public void counters(Counters counters) {
        state.put(COUNTERS, Records.encode(counters));
    }

    @Override
    public void work(@Nullable Work work) {
        if (work == null) {
            state.remove(WORK);
        } else {
            state.put(WORK, Records.encode(work));
        }
    }

    @Override
    public void commit() {
        if (store.hasUnsavedChanges()) {
            store.commit();
            store.sync();
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
