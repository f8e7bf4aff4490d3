package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.Sight;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The same question to several members, at once.
 *
 * <p>The listener is told after each answer, also after those that come when everything is decided: a straggler may
 * need a repair.
 */
final class Round {

    /** One member's answer. */
    record Heard(Roster.Node node, MemberId member, Answer answer) {}

    private final Surroundings surroundings;
    private final Consumer<Heard> listener;
    private final Map<MemberId, Answer> answers = new HashMap<>();
    private final Set<MemberId> pending = new HashSet<>();
    private final Map<MemberId, Long> sentNanos = new HashMap<>();

    Round(Surroundings surroundings, Consumer<Heard> listener) {
        this.surroundings = surroundings;
        this.listener = listener;
    }

    /** Asks one member; the answer comes after this task. */
    void ask(Roster.Node node, MemberId member, Ask ask, Link.Lane lane) {
        pending.add(member);
        sentNanos.put(member, surroundings.nanos());
        node.ask(ask, lane, answer -> {
            pending.remove(member);
            answers.put(member, answer);
            listener.accept(new Heard(node, member, answer));
        });
    }

    Map<MemberId, Answer> answers() {
        return answers;
    }

    Set<MemberId> pending() {
        return pending;
    }

    boolean isOver() {
        return pending.isEmpty();
    }

    <A extends Answer> List<A> all(Class<A> kind) {
        List<A> found = new ArrayList<>();
        for (Answer answer : answers.values()) {
            if (kind.isInstance(answer)) {
                found.add(kind.cast(answer));
            }
        }
        return found;
    }

    List<Sight> grants() {
        return all(Answer.Granted.class).stream().map(Answer.Granted::before).toList();
    }

    /** INV-6: a lease that these members gave runs from here. */
    long earliestSendTo(Collection<MemberId> members) {
        return sentNanos.entrySet().stream()
                .filter(sent -> members.contains(sent.getKey()))
                .map(Map.Entry::getValue)
                .reduce((a, b) -> a - b < 0 ? a : b)
                .orElseThrow();
    }
}
