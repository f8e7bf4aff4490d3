package dev.baton.duty.mempool.local;

import dev.baton.core.Hash;
import dev.baton.duty.mempool.Point;
import java.util.List;

/**
 * A block that was begun, or one that is being taken back, and how far that has come.
 *
 * @param seenDone how many of the seen ones were looked at
 */
record Work(boolean undoes, Point point, List<Hash> seen, List<Hash> unseen, int seenDone, int unseenDone) {

    Work {
        seen = List.copyOf(seen);
        unseen = List.copyOf(unseen);
    }

    Work advanced(int moreSeen, int moreUnseen) {
        return new Work(undoes, point, seen, unseen, seenDone + moreSeen, unseenDone + moreUnseen);
    }
}
