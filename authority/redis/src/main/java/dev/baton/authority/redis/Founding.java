package dev.baton.authority.redis;

import dev.baton.authority.redis.lettuce.LettuceNodes;
import dev.baton.authority.redis.lettuce.NodeReport;
import dev.baton.authority.redis.lettuce.SeatLook;
import dev.baton.authority.redis.lettuce.Survey;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.quorum.Network;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Creates a seat on nodes that keep nothing of it yet. Only an operator does this: a process that finds empty nodes
 * must not take a lost cluster for a new one.
 */
public final class Founding {

    /** How it went. */
    public sealed interface Outcome {

        record Founded(MemberSet members) implements Outcome {}

        /**
         * It had been founded before; nothing was changed.
         *
         * @param blank nodes that keep nothing of it: the holder makes them new members
         */
        record AlreadyFounded(MemberSet members, List<String> blank) implements Outcome {}

        /** Nothing was founded, or not everywhere; then it can be run again. */
        record Refused(List<Fault> faults) implements Outcome {}
    }

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final RedisSettings settings;
    private final SeatId seat;
    private final String prefix;
    private final RandomGenerator random;

    private Founding(RedisSettings settings, SeatId seat, String prefix, RandomGenerator random) {
        this.settings = settings;
        this.seat = seat;
        this.prefix = prefix;
        this.random = random;
    }

    /** Blocks for some seconds at most. All nodes must be there. */
    public static Outcome found(RedisSettings settings, SeatId seat, String prefix, RandomGenerator random) {
        return new Founding(settings, seat, prefix, random).run();
    }

    private Outcome run() {
        List<NodeReport> reports = Survey.of(settings, Set.of(seat));
        List<NodeReport.Reached> reached = StartCheck.reached(reports);
        List<Fault> faults =
                new ArrayList<>(StartCheck.nodes(settings, prefix, reports).faults());
        if (faults.isEmpty() && reached.size() < settings.nodes().size()) {
            faults.add(fault(
                    reached.size() + " of " + settings.nodes() + " answer", "all of them, when a seat is founded"));
        }
        Map<String, SeatLook.Present> present = new TreeMap<>();
        for (NodeReport.Reached node : reached) {
            switch (node.seats().get(seat)) {
                case SeatLook.Present member -> present.put(node.address(), member);
                case SeatLook.Strange strange ->
                    strange.what()
                            .forEach(what -> faults.add(fault(
                                    node.address() + " " + what, "nothing of another program's under these keys")));
                case null, default -> {}
            }
        }
        return faults.isEmpty() ? decide(present) : new Outcome.Refused(faults);
    }

    private Outcome decide(Map<String, SeatLook.Present> present) {
        if (present.isEmpty()) {
            return admitAll(Map.of());
        }
        Set<MemberSet> sets =
                present.values().stream().map(SeatLook.Present::governing).collect(Collectors.toSet());
        if (sets.size() > 1) {
            return refused("founded with different node sets: " + sets, "one: it is in use, or was founded twice");
        }
        MemberSet set = sets.iterator().next();
        List<MemberId> voters =
                present.values().stream().map(SeatLook.Present::member).toList();
        if (set.hasQuorumAmong(voters)) {
            List<String> blank = settings.nodes().stream()
                    .filter(address -> !present.containsKey(address))
                    .toList();
            return new Outcome.AlreadyFounded(set, blank);
        }
        if (present.values().stream().anyMatch(SeatLook.Present::hasHistory)) {
            return refused(
                    "kept by " + present.keySet() + " only, with a history, and these are no majority of " + set,
                    "the other nodes with their data: restore it from their own files");
        }
        // A founding that stopped half-way. Everybody gets a new id: whatever an old one may have said is void.
        return admitAll(present);
    }

    private Outcome refused(String value, String expected) {
        return new Outcome.Refused(List.of(fault(SeatKeys.named(seat) + " is " + value, expected)));
    }

    private Fault fault(String value, String expected) {
        return new Fault(prefix + "nodes", value, expected);
    }

    private Outcome admitAll(Map<String, SeatLook.Present> strays) {
        MemberSet members = new MemberSet(settings.nodes().stream()
                .map(address -> new Member(MemberId.random(random), address))
                .toList());
        RedisSettings patient =
                settings.nodeTimeout().compareTo(PATIENCE) < 0 ? settings.withNodeTimeout(PATIENCE) : settings;
        try (LettuceNodes nodes = LettuceNodes.open(patient)) {
            Network network = nodes.networkFor(seat);
            List<Fault> faults = awaitConnected(network);
            if (faults.isEmpty()) {
                for (Member member : members.members()) {
                    Optional<MemberId> stray =
                            Optional.ofNullable(strays.get(member.address())).map(SeatLook.Present::member);
                    admit(network.link(member.address()), member, stray, members)
                            .ifPresent(faults::add);
                }
            }
            return faults.isEmpty() ? new Outcome.Founded(members) : new Outcome.Refused(faults);
        }
    }

    private Optional<Fault> admit(Link link, Member member, Optional<MemberId> stray, MemberSet members) {
        Ask ask = new Ask.Admit(
                member.id(), stray, link.fsync(), link.runId(), Optional.empty(), members, Optional.empty());
        Answer answer = link.ask(ask, Link.Lane.EXPRESS).toCompletableFuture().join();
        return answer instanceof Answer.Done
                ? Optional.empty()
                : Optional.of(fault(
                        member.address() + " answers " + answer, "a new member: run it again when nobody else does"));
    }

    /** The faults are changeable: more may follow. */
    private List<Fault> awaitConnected(Network network) {
        Set<String> missing = new HashSet<>(settings.nodes());
        CountDownLatch connected = new CountDownLatch(1);
        network.listen(news -> {
            synchronized (missing) {
                missing.remove(news.address());
                if (missing.isEmpty()) {
                    connected.countDown();
                }
            }
        });
        try {
            if (connected.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return new ArrayList<>();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (missing) {
            return new ArrayList<>(List.of(fault("no connection to " + missing, "all nodes, when a seat is founded")));
        }
    }
}
