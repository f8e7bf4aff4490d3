package dev.baton.duty.remote.peer;

import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.duty.remote.Lease;
import java.util.List;
import java.util.Optional;

/**
 * What a sequencer remembers of the terms that it has worked under.
 *
 * <p>INV-25: a lease of a lower epoch than the highest seen is refused, and so is one of an epoch in which the
 * sequencer was told to stop: a start that was long under way must not undo a stop.
 *
 * @param highest the highest epoch that was shown
 * @param stopped the highest epoch in which a stop was asked for
 * @param safeNumber the last block that a lease said is in the ledger; never dropped
 */
record Fence(SeatId seat, Epoch highest, Epoch stopped, long safeNumber) {

    /** Why this lease must not be acted on; empty if it may. */
    static Optional<String> objection(Optional<Fence> known, Lease lease, boolean start) {
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Fence fence = known.get();
        SeatId shown = lease.seat();
        if (!shown.cluster().equals(fence.seat.cluster()) || !shown.seat().equals(fence.seat.seat())) {
            return Optional.of("lease_token: of " + shown + " (expected: " + fence.seat + ")");
        }
        int eras = Integer.compare(shown.era().value(), fence.seat.era().value());
        if (eras < 0 || (eras == 0 && fence.highest.isAbove(lease.epoch()))) {
            return Optional.of("lease_token: of term " + lease.epoch() + " of " + shown + " (expected: " + fence.highest
                    + " of " + fence.seat + " or above, which was seen here)");
        }
        if (start && eras == 0 && fence.stopped.equals(lease.epoch())) {
            return Optional.of("lease_token: of term " + lease.epoch() + ", in which this sequencer was stopped"
                    + " (expected: a higher term)");
        }
        return Optional.empty();
    }

    /** After a lease that was let in. */
    static Fence raised(Optional<Fence> known, Lease lease, boolean start) {
        boolean sameEra = known.isPresent() && known.get().seat.equals(lease.seat());
        Epoch stopped = sameEra ? known.get().stopped : Epoch.NONE;
        long safe = known.map(Fence::safeNumber).orElse(0L);
        // Whoever is told to stop may have another chain than the ledger: only a start proves that it has not.
        return start
                ? new Fence(
                        lease.seat(),
                        lease.epoch(),
                        stopped,
                        Math.max(safe, lease.recorded().number()))
                : new Fence(lease.seat(), lease.epoch(), lease.epoch(), safe);
    }

    String encode() {
        return String.join(
                " ",
                seat.cluster().value(),
                seat.seat().value(),
                Integer.toString(seat.era().value()),
                highest.toString(),
                stopped.toString(),
                Long.toString(safeNumber));
    }

    static Fence decode(String text) {
        List<String> words = List.of(text.split(" ", -1));
        return new Fence(
                new SeatId(
                        new ClusterId(words.get(0)),
                        new SeatName(words.get(1)),
                        new Era(Integer.parseInt(words.get(2)))),
                new Epoch(Long.parseLong(words.get(3))),
                new Epoch(Long.parseLong(words.get(4))),
                Long.parseLong(words.get(5)));
    }
}
