package dev.baton.authority.redis.script;

import dev.baton.core.SeatId;
import java.util.List;

/**
 * The keys of one seat. They share a hash tag, so that a script may use them together wherever they are kept.
 *
 * @param seat who holds the seat, with a time to live
 * @param state what the node has promised, and its tip
 * @param ledger the entries, a stream with ids {@code height-ballot}
 */
public record SeatKeys(String seat, String state, String ledger) {

    /** Which seats a Redis keeps: so that a wrong name in a configuration can be told from lost data. */
    public static final String SEATS = "baton:seats";

    public static SeatKeys of(SeatId id) {
        String stem = "baton:{" + named(id) + "}:";
        return new SeatKeys(stem + "seat", stem + "state", stem + "ledger");
    }

    /** How {@link #SEATS} names a seat. */
    public static String named(SeatId id) {
        return id.cluster() + "/" + id.seat() + "/" + id.era();
    }

    public List<String> all() {
        return List.of(seat, state, ledger);
    }
}
