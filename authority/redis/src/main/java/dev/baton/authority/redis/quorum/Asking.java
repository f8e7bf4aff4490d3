package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberSet;
import java.util.function.Function;

/** One question to a whole set, for answers that need no further bookkeeping. */
final class Asking {

    /** Judges a round after each answer. */
    interface Judgement {
        /** Whether the matter is settled; not asked again then. The last call has {@code over} true. */
        boolean settles(Round round, boolean over);
    }

    private final Surroundings surroundings;
    private final Judgement judgement;
    private Round round;
    private boolean settled;

    private Asking(Surroundings surroundings, Judgement judgement) {
        this.surroundings = surroundings;
        this.judgement = judgement;
        this.round = new Round(surroundings, ignored -> {});
    }

    static void all(
            MemberSet set,
            Roster roster,
            Surroundings surroundings,
            Function<Member, Ask> question,
            Judgement judgement) {
        new Asking(surroundings, judgement).begin(set, roster, question);
    }

    private void begin(MemberSet set, Roster roster, Function<Member, Ask> question) {
        round = new Round(surroundings, ignored -> heard());
        for (Member member : set.members()) {
            round.ask(roster.at(member.address()), member.id(), question.apply(member), Link.Lane.EXPRESS);
        }
    }

    private void heard() {
        if (!settled) {
            settled = judgement.settles(round, round.isOver());
        }
    }
}
