package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.authority.redis.protocol.Tip;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the answers of single nodes become decisions. Nothing here asks anybody; it is Paxos, in a few lines.
 *
 * <p>The methods can be overridden only so that the simulator can break them one by one and show that each is needed.
 */
public class QuorumRules {

    /** The rules as they are. */
    public static final QuorumRules STRICT = new QuorumRules();

    private static final Comparator<Sight> BY_TIP = Comparator.<Sight, Height>comparing(
                    sight -> sight.head().height())
            .thenComparing(sight -> sight.tip().map(Tip::ballot).orElse(Epoch.NONE));

    protected QuorumRules() {}

    /** What has come of an append so far. */
    public enum Count {
        COMMITTED,
        /** A quorum cannot be reached any more because the epoch is over. */
        FENCED,
        /** A quorum has another entry at that height. */
        OTHERWISE,
        /** Not decided, and nobody is left who could. */
        UNKNOWN,
        OPEN
    }

    /** INV-3: the greatest tip height, and there the greatest ballot; never by count, never by age. */
    public Optional<Sight> best(Collection<Sight> sights) {
        return sights.stream().max(BY_TIP);
    }

    /**
     * INV-1, INV-3: whether these grants elect: a quorum of the set that governs the best tip, and of the set that this
     * tip would install.
     */
    public boolean elects(Collection<Sight> grants) {
        Set<MemberId> voters = members(grants);
        return best(grants)
                .map(best ->
                        best.governing().hasQuorumAmong(voters) && best.next().hasQuorumAmong(voters))
                .orElse(false);
    }

    /**
     * INV-3, INV-5: what a further try recovers: what was picked first. An epoch that offers a second entry at one height
     * is as bad as two leaders.
     *
     * @param grantsByNow the grants that elected, and those that came later
     */
    public Sight stillRecovers(Sight picked, Collection<Sight> grantsByNow) {
        return picked;
    }

    /** Whether the tip of {@code best} is known to be committed: a quorum has accepted it under one ballot. */
    public boolean isChosen(Sight best, Collection<Sight> sights) {
        if (best.tip().isEmpty()) {
            return true;
        }
        Tip tip = best.tip().get();
        List<Sight> same = sights.stream()
                .filter(sight -> sight.tip().map(tip::isSameAcceptance).orElse(false))
                .toList();
        return best.governing().hasQuorumAmong(members(same));
    }

    /** INV-3: only the very same entry counts, and only by members of the set that governs its height. */
    public Count count(MemberSet governing, Map<MemberId, Answer> answers, Set<MemberId> pending) {
        int acknowledged = 0;
        int fenced = 0;
        int otherwise = 0;
        int waiting = 0;
        for (Member member : governing.members()) {
            Answer answer = answers.get(member.id());
            if (answer == null) {
                waiting += pending.contains(member.id()) ? 1 : 0;
            } else if (acknowledges(answer)) {
                acknowledged++;
            } else if (answer instanceof Answer.Fenced) {
                fenced++;
            } else if (answer instanceof Answer.Ahead) {
                otherwise++;
            }
        }
        int quorum = governing.quorum();
        if (acknowledged >= quorum) {
            return Count.COMMITTED;
        }
        if (governing.members().size() - fenced < quorum) {
            return Count.FENCED;
        }
        if (otherwise >= quorum) {
            return Count.OTHERWISE;
        }
        return acknowledged + waiting >= quorum ? Count.OPEN : undecided(pending);
    }

    /** Who waits a little longer learns more: a last answer may say that the epoch is over. */
    private static Count undecided(Set<MemberId> pending) {
        return pending.isEmpty() ? Count.UNKNOWN : Count.OPEN;
    }

    /** Whether the node has the entry. */
    public boolean acknowledges(Answer answer) {
        return answer instanceof Answer.Accepted || (answer instanceof Answer.Ahead ahead && ahead.same());
    }

    /**
     * Whether a leader may propose this set: a quorum of it must stand behind the leader's epoch already. A set of which
     * the leader has not heard a quorum might never decide anything again.
     *
     * @param standing who granted the election, accepted an entry of this term at its tip, or was admitted by this term,
     *     and has not forgotten it
     */
    public boolean mayInstall(MemberSet proposed, Set<MemberId> standing) {
        return proposed.hasQuorumAmong(standing);
    }

    /** Whether a new member may enter the set: one that lags has a vote and cannot use it. */
    public boolean mayEnter(Head tip, Head committed) {
        return tip.equals(committed);
    }

    static Set<MemberId> members(Collection<Sight> sights) {
        Set<MemberId> members = new HashSet<>();
        sights.forEach(sight -> members.add(sight.member()));
        return members;
    }
}
