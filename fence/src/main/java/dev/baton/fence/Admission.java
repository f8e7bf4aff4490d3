package dev.baton.fence;

/** What a resource says to the fence that a holder shows. */
public sealed interface Admission {

    /** The fence that was shown. */
    Fence shown();

    default boolean isAdmitted() {
        return this instanceof Admitted;
    }

    /** It may write, and the resource refuses every lower fence from now on. */
    record Admitted(Fence shown) implements Admission {}

    /** It may not write; nothing was changed. */
    sealed interface Refused extends Admission {

        /** The highest fence that the resource has seen. */
        Fence stored();

        /** In words, for whoever reads logs. */
        String reason();
    }

    /** A later term has been here: whoever shows this fence was replaced. */
    record Stale(Fence shown, Fence stored) implements Refused {
        @Override
        public String reason() {
            return "fence: " + shown + " (expected: " + stored
                    + " or higher; its holder was replaced and must stop writing)";
        }
    }

    /** The resource belongs to another seat; its epochs say nothing about this one's. */
    record OtherSeat(Fence shown, Fence stored) implements Refused {
        @Override
        public String reason() {
            return "fence: " + shown + " (expected: one of seat " + stored.cluster() + "/" + stored.seatName()
                    + ", which this resource belongs to; remove its fence to give it to another seat)";
        }
    }
}
