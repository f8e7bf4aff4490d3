package dev.baton.duty.mempool.local;

import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolContract;
import dev.baton.duty.mempool.MempoolLimits;

class MemoryMempoolTest extends MempoolContract {

    @Override
    protected Mempool empty(MempoolLimits limits) {
        return LocalMempool.inMemory(limits, clock);
    }

    /** A pool in memory dies with its process; what remains is another caller. */
    @Override
    protected Mempool again(Mempool pool, MempoolLimits limits) {
        return pool;
    }
}
