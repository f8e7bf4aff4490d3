package dev.baton.authority.redis.protocol;

import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.Optional;

/**
 * What one node says of a seat.
 *
 * @param promised no epoch below is heard here any more
 * @param open the highest epoch that was granted here and neither withdrawn nor resigned: perhaps a term that runs
 * @param ended the highest epoch whose holder resigned here
 * @param governing the newest node set below the tip
 * @param oldest the lowest height that can be read; one above the tip if nothing can
 */
public record Sight(
        MemberId member,
        Epoch promised,
        Epoch open,
        Epoch ended,
        Optional<Seated> seat,
        Optional<Tip> tip,
        MemberSet governing,
        Height oldest) {

    public Head head() {
        return tip.map(Tip::asHead).orElse(Head.GENESIS);
    }

    /** The set that decides the next height if the tip is committed. */
    public MemberSet next() {
        return tip.flatMap(Tip::installs).orElse(governing);
    }
}
