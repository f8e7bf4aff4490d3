package dev.baton.fence;

import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.core.Term;
import java.util.Optional;

/**
 * What a holder shows to whatever it writes to: which seat it holds, and in which term.
 *
 * <p>Written {@code cluster/seat/era/epoch}, such as {@code demo/jobs/1/42}.
 */
public record Fence(SeatId seat, Epoch epoch) {

    public Fence {
        if (epoch.equals(Epoch.NONE)) {
            throw new IllegalArgumentException("fence of " + seat + ": epoch 0 (expected: 1 or more)");
        }
    }

    public static Fence of(SeatId seat, Term term) {
        return new Fence(seat, term.epoch());
    }

    /** The fence in its parts, as resources store them. */
    public static Fence of(String cluster, String seat, int era, long epoch) {
        return new Fence(new SeatId(new ClusterId(cluster), new SeatName(seat), new Era(era)), new Epoch(epoch));
    }

    public String cluster() {
        return seat.cluster().value();
    }

    public String seatName() {
        return seat.seat().value();
    }

    public int era() {
        return seat.era().value();
    }

    /** Reads what {@link #toString} wrote. */
    public static Fence parse(String text) {
        String[] parts = text.split("/", -1);
        try {
            if (parts.length == 4) {
                Fence fence = of(parts[0], parts[1], Integer.parseInt(parts[2]), Long.parseLong(parts[3]));
                // "+1" and "01" are numbers, too, but two spellings of one fence would confuse whoever compares texts.
                if (fence.toString().equals(text)) {
                    return fence;
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(wrong(text) + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(wrong(text));
    }

    private static String wrong(String text) {
        return "fence: \"" + text + "\" (expected: cluster/seat/era/epoch, such as demo/jobs/1/42)";
    }

    /**
     * Whether a resource that has seen {@code stored} lets this fence pass.
     *
     * <p>INV-1: cluster and seat are compared first, then the era, then the epoch. An equal fence passes, because a term
     * belongs to one incarnation of a process (INV-2): it is the same holder that writes again.
     */
    public Admission against(Optional<Fence> stored) {
        if (stored.isEmpty()) {
            return new Admission.Admitted(this);
        }
        Fence highest = stored.get();
        if (!seat.cluster().equals(highest.seat.cluster()) || !seat.seat().equals(highest.seat.seat())) {
            return new Admission.OtherSeat(this, highest);
        }
        int byEra = seat.era().compareTo(highest.seat.era());
        int order = byEra != 0 ? byEra : epoch.compareTo(highest.epoch);
        return order < 0 ? new Admission.Stale(this, highest) : new Admission.Admitted(this);
    }

    @Override
    public String toString() {
        return seat.cluster() + "/" + seat.seat() + "/" + seat.era() + "/" + epoch;
    }
}
