package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import java.util.List;

/** What a node keeps of one seat, as somebody sees it who only looks. */
public sealed interface SeatLook {

    /** Nothing under any of its keys. */
    record Absent() implements SeatLook {}

    /**
     * A member.
     *
     * @param hasHistory whether it has ever promised or accepted anything
     */
    record Present(MemberId member, MemberSet governing, boolean hasHistory) implements SeatLook {}

    /** Something that is not ours, or is damaged: each time the key and what is wrong. */
    record Strange(List<String> what) implements SeatLook {
        public Strange {
            what = List.copyOf(what);
        }
    }
}
