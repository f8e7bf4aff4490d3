package dev.baton.sim;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.authority.redis.protocol.Tip;
import dev.baton.authority.redis.quorum.QuorumRules;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/** The rules of a quorum with one of them broken. */
final class SpoiledRules {

    private SpoiledRules() {}

    static QuorumRules of(Mutant mutant) {
        return switch (mutant) {
            case ANY_ANSWER_COUNTS -> anyAnswerCounts();
            case NO_QUORUM_COUNTS -> noQuorumCounts();
            case HALF_IS_A_QUORUM -> withQuorum(size -> size / 2);
            case QUORUM_OF_ONE_MORE -> withQuorum(size -> Math.min(size, (size + 1) / 2 + 1));
            case RECOVERY_SKIPPED -> recoverySkipped();
            case PICKED_BY_COUNT -> pickedByCount();
            case PICKED_BY_AGE -> pickedByAge();
            case ADMITTED_WITHOUT_TIP -> admittedWithoutTip();
            case INSTALLED_WITHOUT_QUORUM -> installedWithoutQuorum();
            case ELECTED_WITHOUT_NEXT_SET -> electedBy(Sight::governing);
            case ELECTED_WITHOUT_GOVERNING_SET -> electedBy(Sight::next);
            default -> QuorumRules.STRICT;
        };
    }

    private static QuorumRules anyAnswerCounts() {
        return new QuorumRules() {
            @Override
            public boolean acknowledges(Answer answer) {
                return answer instanceof Answer.Accepted
                        || answer instanceof Answer.Ahead
                        || answer instanceof Answer.Behind;
            }
        };
    }

    private static QuorumRules noQuorumCounts() {
        return new QuorumRules() {
            @Override
            public Count count(MemberSet governing, Map<MemberId, Answer> answers, Set<MemberId> pending) {
                Count count = super.count(governing, answers, pending);
                boolean anybody = answers.values().stream().anyMatch(this::acknowledges);
                return count == Count.UNKNOWN && anybody ? Count.COMMITTED : count;
            }
        };
    }

    private static QuorumRules withQuorum(IntUnaryOperator quorumOf) {
        return new QuorumRules() {
            private boolean isQuorum(MemberSet set, Set<MemberId> voters) {
                long votes = set.members().stream()
                        .filter(member -> voters.contains(member.id()))
                        .count();
                return votes >= quorumOf.applyAsInt(set.members().size());
            }

            @Override
            public boolean elects(Collection<Sight> grants) {
                Set<MemberId> voters = grants.stream().map(Sight::member).collect(Collectors.toSet());
                return best(grants)
                        .map(best -> isQuorum(best.governing(), voters) && isQuorum(best.next(), voters))
                        .orElse(false);
            }

            @Override
            public Count count(MemberSet governing, Map<MemberId, Answer> answers, Set<MemberId> pending) {
                Set<MemberId> acknowledged = answers.entrySet().stream()
                        .filter(answer -> acknowledges(answer.getValue()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
                if (isQuorum(governing, acknowledged)) {
                    return Count.COMMITTED;
                }
                Count count = super.count(governing, answers, pending);
                if (count != Count.COMMITTED) {
                    return count;
                }
                return pending.isEmpty() ? Count.UNKNOWN : Count.OPEN;
            }
        };
    }

    private static QuorumRules recoverySkipped() {
        return new QuorumRules() {
            @Override
            public boolean isChosen(Sight best, Collection<Sight> sights) {
                return true;
            }
        };
    }

    private static QuorumRules pickedByCount() {
        return new QuorumRules() {
            @Override
            public Optional<Sight> best(Collection<Sight> sights) {
                return sights.stream()
                        .max(Comparator.<Sight, Height>comparing(
                                        sight -> sight.head().height())
                                .thenComparingLong(sight -> sights.stream()
                                        .filter(other -> other.head().equals(sight.head()))
                                        .count()));
            }
        };
    }

    private static QuorumRules pickedByAge() {
        return new QuorumRules() {
            @Override
            public Optional<Sight> best(Collection<Sight> sights) {
                return sights.stream()
                        .max(Comparator.<Sight, Height>comparing(
                                        sight -> sight.head().height())
                                .thenComparing(
                                        sight -> sight.tip().map(Tip::ballot).orElse(Epoch.NONE),
                                        Comparator.reverseOrder()));
            }
        };
    }

    private static QuorumRules admittedWithoutTip() {
        return new QuorumRules() {
            @Override
            public boolean mayEnter(Head tip, Head committed) {
                return true;
            }
        };
    }

    private static QuorumRules installedWithoutQuorum() {
        return new QuorumRules() {
            @Override
            public boolean mayInstall(MemberSet proposed, Set<MemberId> standing) {
                return true;
            }
        };
    }

    private static QuorumRules electedBy(Function<Sight, MemberSet> only) {
        return new QuorumRules() {
            @Override
            public boolean elects(Collection<Sight> grants) {
                Set<MemberId> voters = grants.stream().map(Sight::member).collect(Collectors.toSet());
                return best(grants)
                        .map(best -> only.apply(best).hasQuorumAmong(voters))
                        .orElse(false);
            }
        };
    }
}
