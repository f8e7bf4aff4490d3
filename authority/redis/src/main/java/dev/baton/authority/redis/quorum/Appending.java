package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.core.Entry;
import dev.baton.core.Seating;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One entry on its way to a quorum: decided as soon as enough answers are there, the others still finish. */
final class Appending {

    private final QuorumRules rules;
    private final Roster roster;
    private final Surroundings surroundings;
    private final MemberSet governing;
    private final Collection<Member> learners;
    private final Set<MemberId> accepted = new HashSet<>();
    private Round round;
    private boolean decided;

    /**
     * An append that has not begun.
     *
     * @param governing who decides
     * @param learners who gets the entry as well, without a vote
     */
    Appending(
            QuorumRules rules,
            Roster roster,
            Surroundings surroundings,
            MemberSet governing,
            Collection<Member> learners) {
        this.rules = rules;
        this.roster = roster;
        this.surroundings = surroundings;
        this.governing = governing;
        this.learners = learners;
        this.round = new Round(surroundings, heard -> {});
    }

    /**
     * Sends the entry.
     *
     * @param counted told once, when it is decided or nobody is left
     * @param each told of every answer, late ones too
     */
    void begin(
            Seating seating,
            Entry entry,
            Duration lease,
            BiConsumer<QuorumRules.Count, Appending> counted,
            Consumer<Round.Heard> each) {
        round = new Round(surroundings, heard -> {
            if (heard.answer() instanceof Answer.Accepted) {
                accepted.add(heard.member());
            }
            each.accept(heard);
            if (!decided) {
                QuorumRules.Count count = rules.count(governing, round.answers(), round.pending());
                if (count != QuorumRules.Count.OPEN) {
                    decided = true;
                    counted.accept(count, this);
                }
            }
        });
        governing.members().forEach(member -> send(member, seating, entry, lease));
        learners.forEach(member -> send(member, seating, entry, lease));
    }

    private void send(Member member, Seating seating, Entry entry, Duration lease) {
        round.ask(
                roster.at(member.address()),
                member.id(),
                new Ask.Append(member.id(), seating, entry, lease),
                Link.Lane.EXPRESS);
    }

    /** Who has it at the tip under this ballot. */
    Set<MemberId> acceptedBy() {
        return accepted;
    }

    /** INV-6: the earliest send among those that count, so the lease runs from there. */
    long sentNanos() {
        Set<MemberId> acknowledged = new HashSet<>();
        round.answers().forEach((member, answer) -> {
            if (rules.acknowledges(answer)) {
                acknowledged.add(member);
            }
        });
        return round.earliestSendTo(acknowledged);
    }

    /** Whether the entry may have reached anybody. */
    boolean wasSent() {
        return round.answers().values().stream().anyMatch(answer -> !(answer instanceof Answer.Unsent));
    }
}
