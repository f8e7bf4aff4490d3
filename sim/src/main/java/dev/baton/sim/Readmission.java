package dev.baton.sim;

import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.MemberId;

/** The broken rule by which a Redis that forgot comes back as the member that it was. */
final class Readmission {

    private Readmission() {}

    /** Whatever is asked of the new member is asked of the old one. */
    static Ask of(Ask ask, SimRedis redis) {
        MemberId old = redis.member().orElseThrow();
        return switch (ask) {
            case Ask.Admit admit ->
                new Ask.Admit(
                        old,
                        admit.insteadOf(),
                        admit.fsync(),
                        admit.run(),
                        admit.seating(),
                        admit.governing(),
                        admit.base());
            case Ask.Append append -> new Ask.Append(old, append.seating(), append.entry(), append.lease());
            default -> ask;
        };
    }
}
