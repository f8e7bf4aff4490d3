package dev.baton.node;

import dev.baton.authority.PageLimit;
import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.lettuce.LettuceNodes;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.quorum.Network;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Brings a seat back that a majority of its Redis nodes has forgotten: in a new era, from the last block that anybody
 * still has. Only an operator does this, and only in two steps: what was found first, then the deed. Calls block.
 */
public final class RedisRecovery {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final RedisSettings settings;
    private final SeatId lost;
    private final SeatId next;

    private RedisRecovery(RedisSettings settings, SeatId lost) {
        this.settings = settings;
        this.lost = lost;
        this.next = new SeatId(lost.cluster(), lost.seat(), new Era(lost.era().value() + 1));
    }

    /**
     * What was found, and what would be done.
     *
     * @param found a line for each place that was looked at
     * @param base the last block that anybody has; the new era goes on from it
     */
    public record Plan(SeatId lost, SeatId next, List<String> found, Entry base) {
        public Plan {
            found = List.copyOf(found);
        }
    }

    /** One Redis node's memory of the seat. */
    private record Memory(Optional<Sight> sight, Optional<Entry> tip, String words, boolean unreachable) {}

    /**
     * Looks at the Redis nodes and at the block stores of stopped nodes. Founds nothing.
     *
     * @param folders the data folders of nodes
     */
    public static Plan survey(NodeConfig config, SeatConfig seat, List<Path> folders) throws NodeFailure {
        return new RedisRecovery(RedisSetup.of(config), seat.id(config.cluster())).survey(folders);
    }

    /** Founds the seat in its next era. May be repeated if it did not reach all Redis nodes. */
    public static RedisSeats.Founded carryOut(NodeConfig config, Plan plan) throws NodeFailure {
        return new RedisRecovery(RedisSetup.of(config), plan.lost()).found(plan.base());
    }

    private Plan survey(List<Path> folders) throws NodeFailure {
        List<String> found = new ArrayList<>();
        Map<String, Memory> memories = asked(lost);
        memories.forEach((address, memory) -> found.add("redis " + address + ": " + memory.words()));
        refuseIfAlive(memories, found);
        try (KeptBlocks kept = KeptBlocks.open(lost, folders)) {
            found.addAll(kept.found());
            Entry last = kept.last()
                    .orElseThrow(() -> refused(
                            found,
                            "no node's store has a block of " + lost + " (expected: the data folder of a stopped node;"
                                    + " name it with --store)"));
            kept.disagreement().ifPresent(found::add);
            if (kept.disagreement().isPresent()) {
                throw refused(found, "the stores contradict each other; nothing was changed");
            }
            return new Plan(lost, next, found, withTip(last, memories, found));
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.DATA_FOLDER, "recover: " + e.getMessage(), e);
        }
    }

    private NodeFailure refused(List<String> found, String why) {
        return new NodeFailure(ExitCode.ENGINE, String.join("\n", found) + "\n" + why);
    }

    /** While a majority may still remember, the seat is not lost: raising the era would split it. */
    private void refuseIfAlive(Map<String, Memory> memories, List<String> found) throws NodeFailure {
        long alive = memories.values().stream()
                .filter(memory -> memory.sight().isPresent())
                .count();
        long unreachable =
                memories.values().stream().filter(Memory::unreachable).count();
        if (alive >= settings.majority()) {
            throw refused(
                    found, lost + " is not lost: " + alive + " of " + memories.size() + " Redis nodes remember it");
        }
        if (alive + unreachable >= settings.majority()) {
            throw refused(
                    found,
                    unreachable + " Redis nodes do not answer and may remember " + lost
                            + " (expected: all answer; start"
                            + " them, or put others in their place in authority.nodes if they are gone for good)");
        }
    }

    /** A tip that only Redis has may be committed, and acknowledged: it is carried over rather than lost. */
    private Entry withTip(Entry last, Map<String, Memory> memories, List<String> found) throws NodeFailure {
        Optional<Memory> best = memories.values().stream()
                .filter(memory -> memory.tip().isPresent())
                .max(Comparator.comparing(
                                (Memory memory) -> memory.tip().orElseThrow().height())
                        .thenComparing(memory ->
                                memory.sight().flatMap(Sight::tip).orElseThrow().ballot()));
        Optional<Entry> tip =
                best.flatMap(Memory::tip).filter(entry -> entry.height().isAbove(last.height()));
        if (tip.isEmpty()) {
            return last;
        }
        if (!tip.get().follows(last.asHead())) {
            throw refused(
                    found,
                    "Redis remembers " + tip.get() + ", which does not follow " + last + " of the stores (expected: the"
                            + " store of a node that has the block before it; name it with --store)");
        }
        return tip.get();
    }

    private RedisSeats.Founded found(Entry base) throws NodeFailure {
        Map<String, Memory> begun = asked(next);
        List<String> unusable = begun.entrySet().stream()
                .filter(entry -> entry.getValue().unreachable()
                        || entry.getValue()
                                .sight()
                                .filter(sight -> !isFresh(sight, base))
                                .isPresent())
                .map(entry -> entry.getKey() + ": " + entry.getValue().words())
                .toList();
        if (!unusable.isEmpty()) {
            throw new NodeFailure(
                    ExitCode.ENGINE,
                    String.join("\n", unusable) + "\n" + next + " cannot be founded (expected: every Redis node"
                            + " answers, and none keeps anything of that era)");
        }
        MemberSet members = members(base, begun);
        List<String> failed = new ArrayList<>();
        connected(next, network -> {
            for (Member member : members.members()) {
                Memory memory = begun.get(member.address());
                if (memory != null && memory.sight().isEmpty()) {
                    Link link = network.link(member.address());
                    Answer answer = ask(
                            link,
                            new Ask.Admit(
                                    member.id(),
                                    Optional.empty(),
                                    link.fsync(),
                                    link.runId(),
                                    Optional.empty(),
                                    members,
                                    Optional.of(base)));
                    if (!(answer instanceof Answer.Done)) {
                        failed.add(member.address() + " answers " + answer);
                    }
                }
            }
        });
        if (!failed.isEmpty()) {
            throw new NodeFailure(
                    ExitCode.ENGINE,
                    String.join("\n", failed) + "\n" + next + " is not founded everywhere; run it again");
        }
        return new RedisSeats.Founded(next, true, RedisSeats.words(members), List.of());
    }

    /** Left by a recovery that stopped half-way; nobody has held the seat since. */
    private static boolean isFresh(Sight sight, Entry base) {
        return sight.promised().equals(Epoch.NONE) && sight.head().equals(base.asHead());
    }

    /** If the base itself installs a node set, it is that one which decides: its ids are used again. */
    private MemberSet members(Entry base, Map<String, Memory> begun) throws NodeFailure {
        Optional<MemberSet> given = MemberSet.installedBy(base)
                .or(() -> begun.values().stream()
                        .flatMap(memory -> memory.sight().stream())
                        .map(Sight::governing)
                        .findFirst());
        if (given.isEmpty()) {
            return new MemberSet(settings.nodes().stream()
                    .map(address -> new Member(MemberId.random(RandomGenerator.getDefault()), address))
                    .toList());
        }
        Set<String> addresses =
                given.get().members().stream().map(Member::address).collect(Collectors.toSet());
        if (!addresses.equals(Set.copyOf(settings.nodes()))) {
            throw new NodeFailure(
                    ExitCode.ENGINE,
                    "authority.nodes: " + settings.nodes() + " (expected: " + addresses + ", because " + base
                            + " makes them the seat's nodes; found it there, then change them with baton nodes)");
        }
        return given.get();
    }

    private Map<String, Memory> asked(SeatId seat) throws NodeFailure {
        Map<String, Memory> memories = new LinkedHashMap<>();
        connected(seat, network -> {
            for (String address : settings.nodes()) {
                memories.put(address, memory(network.link(address)));
            }
        });
        return memories;
    }

    private static Memory memory(Link link) {
        return switch (ask(link, new Ask.Recognise(link.fsync()))) {
            case Answer.Seen(Sight sight) -> remembered(link, sight);
            case Answer.Blank(String why) -> new Memory(Optional.empty(), Optional.empty(), why, false);
            case Answer.Broken(String why) -> new Memory(Optional.empty(), Optional.empty(), "damaged: " + why, false);
            case Answer.Lost(String why) -> unreachable(why);
            case Answer.Unsent(String why) -> unreachable(why);
            case Answer other -> unreachable(other.toString());
        };
    }

    private static Memory unreachable(String why) {
        return new Memory(Optional.empty(), Optional.empty(), "no answer: " + why, true);
    }

    private static Memory remembered(Link link, Sight sight) {
        Optional<Entry> tip = sight.tip().flatMap(at -> entry(link, sight.member(), at.height(), at.hash()));
        return new Memory(
                Optional.of(sight),
                tip,
                "member " + sight.member() + ", tip " + sight.head() + ", promised " + sight.promised(),
                false);
    }

    private static Optional<Entry> entry(Link link, MemberId member, Height at, Hash hash) {
        Answer answer = ask(link, new Ask.Range(member, at, new PageLimit(1, Integer.MAX_VALUE)));
        return answer instanceof Answer.Entries entries
                ? entries.entries().stream()
                        .filter(entry -> entry.hash().equals(hash))
                        .findFirst()
                : Optional.empty();
    }

    private static Answer ask(Link link, Ask ask) {
        return link.ask(ask, Link.Lane.EXPRESS).toCompletableFuture().join();
    }

    private interface Work {
        void with(Network network);
    }

    /** Waits for the connections, but not for nodes that do not come. */
    private void connected(SeatId seat, Work work) throws NodeFailure {
        Set<String> missing = ConcurrentHashMap.newKeySet();
        missing.addAll(settings.nodes());
        CountDownLatch all = new CountDownLatch(1);
        try (LettuceNodes nodes = LettuceNodes.open(settings.withNodeTimeout(PATIENCE))) {
            Network network = nodes.networkFor(seat);
            network.listen(news -> {
                missing.remove(news.address());
                if (missing.isEmpty()) {
                    all.countDown();
                }
            });
            var unused = all.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            work.with(network);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeFailure(ExitCode.ENGINE, "interrupted while asking the Redis nodes", e);
        }
    }
}
