package dev.baton.core.standing;

import dev.baton.core.Claim;
import dev.baton.core.Ticket;
import dev.baton.core.timing.PulseCount;

/** Where a node is with respect to one seat. */
public sealed interface Standing {

    /** The word that people see; asking and opening are both "promoting". */
    enum Name {
        FOLLOWER,
        PROMOTING,
        LEADER,
        QUIESCING,
        FENCED,
        PAUSED
    }

    Outlook outlook();

    Standing with(Outlook changed);

    default Name name() {
        return switch (this) {
            case Follower ignored -> Name.FOLLOWER;
            case Asking ignored -> Name.PROMOTING;
            case Opening ignored -> Name.PROMOTING;
            case Leader ignored -> Name.LEADER;
            case Quiescing ignored -> Name.QUIESCING;
            case Fenced ignored -> Name.FENCED;
            case Paused ignored -> Name.PAUSED;
        };
    }

    /** Follows the holder, ready or getting ready to take its place. */
    record Follower(Outlook outlook) implements Standing {
        @Override
        public Follower with(Outlook changed) {
            return new Follower(changed);
        }
    }

    /** Has asked the engine for the seat. */
    record Asking(Claim claim, Outlook outlook) implements Standing {
        @Override
        public Asking with(Outlook changed) {
            return new Asking(claim, changed);
        }
    }

    /** A standing with a term of its own. */
    sealed interface Tenured extends Standing {
        Tenancy tenancy();

        Tenured with(Tenancy changed);

        @Override
        default Outlook outlook() {
            return tenancy().outlook();
        }

        @Override
        default Tenured with(Outlook changed) {
            return with(tenancy().with(changed));
        }
    }

    /** Elected; catches up, takes over and commits the term's first entry. */
    record Opening(Tenancy tenancy) implements Tenured {
        @Override
        public Opening with(Tenancy changed) {
            return new Opening(changed);
        }
    }

    /** Holds the seat and works. */
    record Leader(Tenancy tenancy) implements Tenured {
        @Override
        public Leader with(Tenancy changed) {
            return new Leader(changed);
        }
    }

    /** Holds the seat, but has promised to stay still at the ticket's head. */
    record Quiescing(Tenancy tenancy, Ticket ticket) implements Tenured {
        @Override
        public Quiescing with(Tenancy changed) {
            return new Quiescing(changed, ticket);
        }
    }

    /** Lost the seat by failing, and must earn its way back. */
    record Fenced(String why, PulseCount probes, Outlook outlook) implements Standing {
        @Override
        public Fenced with(Outlook changed) {
            return new Fenced(why, probes, changed);
        }
    }

    /** Does not stand for the seat until told to. */
    record Paused(String why, Outlook outlook) implements Standing {
        @Override
        public Paused with(Outlook changed) {
            return new Paused(why, changed);
        }
    }
}
