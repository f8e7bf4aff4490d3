package dev.baton.sim;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.redis.protocol.Acceptor;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.quorum.QuorumRules;
import dev.baton.authority.redis.quorum.QuorumSeat;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.core.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Simulated processes, each with the production quorum code, around simulated Redis nodes. */
final class RedisWorld implements SimEngine {

    private static final long LONGEST_CUT_NANOS = 2_000_000_000L;
    private static final long LONGEST_RESTART_NANOS = 600_000_000L;
    private static final long LONGEST_CLOCK_STEP_MILLIS = 2_000;

    private final Scenario scenario;
    private final Engine.Redis spec;
    private final World world;
    private final FaultDice dice;
    private final Judge judge;
    private final Witness witness;
    private final List<SimRedis> redises = new ArrayList<>();
    private final Map<NodeId, List<Way>> ways = new LinkedHashMap<>();
    private final List<Way> allWays = new ArrayList<>();
    private final Map<NodeId, Consumer<Consumer<QuorumSeat>>> operators = new LinkedHashMap<>();
    private final Set<String> leaving = new HashSet<>();
    private boolean calm;
    private int nextInRoll;

    RedisWorld(Scenario scenario, Engine.Redis spec, World world, FaultDice dice, Judge judge) {
        this.scenario = scenario;
        this.spec = spec;
        this.world = world;
        this.dice = dice;
        this.judge = judge;
        this.witness = new Witness(world, judge);
        Supplier<Acceptor> acceptors = scenario.mutant()
                .<Supplier<Acceptor>>map(mutant -> mutant::acceptor)
                .orElse(Acceptor::new);
        double spread = scenario.faults().clockRateSpread();
        for (int i = 1; i <= spec.nodes() + spec.spares(); i++) {
            redises.add(new SimRedis(
                    "r" + i + ":6379",
                    world,
                    witness,
                    spec.fsync(),
                    acceptors,
                    1 + (2 * world.random().nextDouble() - 1) * spread,
                    world.random().nextLong(-100_000, 100_000)));
        }
        found();
    }

    /** What {@code baton init} does. */
    private void found() {
        MemberSet first = new MemberSet(redises.stream()
                .limit(spec.nodes())
                .map(redis -> new Member(MemberId.random(world.random()), redis.address()))
                .toList());
        witness.founded(first);
        for (Member member : first.members()) {
            SimRedis redis = at(member.address());
            redis.take(
                    new Ask.Admit(
                            member.id(),
                            Optional.empty(),
                            spec.fsync(),
                            redis.runId(),
                            Optional.empty(),
                            first,
                            Optional.empty()),
                    answer -> {});
        }
    }

    @Override
    public Connection connect(NodeId node, SimProcess process) {
        SimNetwork network = new SimNetwork(world, process, isBroken(Mutant.READMITTED_UNDER_OLD_ID));
        List<Way> mine = ways.computeIfAbsent(node, newcomer -> newWays());
        for (int i = 0; i < redises.size(); i++) {
            network.add(redises.get(i), mine.get(i));
        }
        QuorumSettings settings = new QuorumSettings(
                scenario.timings().lease().ttl(),
                3,
                Duration.ofMillis(50),
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                Duration.ofMillis(80));
        QuorumSeat seat = new QuorumSeat(
                scenario.seat(),
                settings,
                scenario.mutant().map(Mutant::rules).orElse(QuorumRules.STRICT),
                redises.stream().map(SimRedis::address).toList(),
                network,
                new SimSurroundings(world, process));
        operators.put(node, change -> process.post(() -> change.accept(seat)));
        return new Connection() {
            @Override
            public SeatAuthority seat() {
                return seat;
            }

            @Override
            public void cut(long forNanos) {
                mine.forEach(way -> way.cut(true, true, forNanos));
            }

            @Override
            public void drop() {
                network.drop();
            }
        };
    }

    private boolean isBroken(Mutant rule) {
        return scenario.mutant().filter(mutant -> mutant == rule).isPresent();
    }

    private List<Way> newWays() {
        List<Way> mine = redises.stream()
                .map(redis -> new Way(world, spec.faults(), () -> calm))
                .toList();
        allWays.addAll(mine);
        return mine;
    }

    @Override
    public void trouble() {
        RedisFaults rough = spec.faults();
        allWays.forEach(way -> dice.strike(rough.cutPerSecond(), () -> cut(way)));
        dice.strike(rough.partitionPerSecond(), this::partition);
        for (int i = 0; i < redises.size(); i++) {
            SimRedis redis = redises.get(i);
            int position = i;
            dice.strike(rough.islandPerSecond(), () -> isolate(redis, position));
            dice.strike(rough.stallPerSecond(), () -> stall(redis));
            dice.strike(rough.restartPerSecond(), () -> restart(redis));
            dice.strike(rough.wipePerSecond(), () -> wipe(redis));
            dice.strike(rough.clockSetPerSecond(), () -> setClock(redis));
        }
        if (spec.spares() > 0) {
            dice.strike(rough.changePerSecond(), this::changeNodes);
        }
        SimRedis next = redises.get(nextInRoll);
        if (spec.rolling() && (restart(next) || isNewcomer(next))) {
            nextInRoll = (nextInRoll + 1) % redises.size();
        }
    }

    /** What an operator does: every process is told, the holder obeys. */
    private void changeNodes() {
        MemberSet set = witness.newest();
        List<String> outside = redises.stream()
                .map(SimRedis::address)
                .filter(address -> witness.needed().stream()
                        .noneMatch(needed -> needed.at(address).isPresent()))
                .toList();
        boolean leave = set.members().size() > Math.max(2, spec.nodes() - 1) && world.chance(0.7);
        boolean arrive = !outside.isEmpty() && (!leave || world.chance(0.6));
        Optional<String> leaving = leave
                ? Optional.of(set.members()
                        .get(world.random().nextInt(set.members().size()))
                        .address())
                : Optional.empty();
        Optional<String> arriving =
                arrive ? Optional.of(outside.get(world.random().nextInt(outside.size()))) : Optional.empty();
        if (leave && !arrive && !survives(set, "", Set.of(leaving.orElseThrow()))) {
            return; // nobody sends nodes away while others are lost
        } else if (leave || arrive) {
            leaving.ifPresent(this.leaving::add);
            world.note(() -> "an operator asks: " + leaving.orElse("nobody") + " leaves, " + arriving.orElse("nobody")
                    + " arrives");
            operators.values().forEach(tell -> tell.accept(seat -> seat.changeNodes(leaving, arriving)));
        }
    }

    private SimRedis at(String address) {
        return redises.stream()
                .filter(redis -> redis.address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    private void cut(Way way) {
        boolean there = world.chance(0.6);
        boolean back = !there || world.chance(0.5);
        way.cut(there, back, world.between(0, LONGEST_CUT_NANOS));
    }

    private void partition() {
        long forNanos = world.between(0, LONGEST_CUT_NANOS);
        List<Boolean> sides =
                redises.stream().map(redis -> world.random().nextBoolean()).toList();
        world.note(() -> "a partition for " + forNanos / 1_000_000 + " ms: Redis nodes " + sides);
        ways.forEach((node, mine) -> {
            boolean side = world.random().nextBoolean();
            world.note(() -> node + " is on the side " + side);
            for (int i = 0; i < mine.size(); i++) {
                if (sides.get(i) != side) {
                    mine.get(i).cut(true, true, forNanos);
                }
            }
        });
    }

    private void isolate(SimRedis redis, int position) {
        long forNanos = world.between(0, LONGEST_CUT_NANOS);
        world.note(() -> redis.address() + " is an island for " + forNanos / 1_000_000 + " ms");
        ways.values().forEach(mine -> mine.get(position).cut(true, true, forNanos));
    }

    private void stall(SimRedis redis) {
        long forNanos = world.between(0, LONGEST_CUT_NANOS);
        world.note(() -> redis.address() + " answers nothing for " + forNanos / 1_000_000 + " ms");
        redis.stallUntil(world.nowNanos() + forNanos);
    }

    private void setClock(SimRedis redis) {
        long byMillis = world.between(-LONGEST_CLOCK_STEP_MILLIS, LONGEST_CLOCK_STEP_MILLIS);
        world.note(() -> redis.address() + "'s clock is set by " + byMillis + " ms");
        redis.setClock(byMillis);
        judge.clockWasSet();
    }

    private boolean restart(SimRedis redis) {
        boolean lying = isBroken(Mutant.ACKNOWLEDGED_BEFORE_DISK);
        if (spec.fsync() == Fsync.ALWAYS) {
            return restart(redis, lying ? SimRedis.Kept.SNAPSHOT : SimRedis.Kept.EVERYTHING);
        }
        if (!canSpare(redis)) {
            return false;
        }
        SimRedis.Kept[] all = SimRedis.Kept.values();
        return restart(redis, all[world.random().nextInt(all.length)]);
    }

    private void wipe(SimRedis redis) {
        if (canSpare(redis)) {
            restart(redis, SimRedis.Kept.NOTHING);
        }
    }

    private boolean restart(SimRedis redis, SimRedis.Kept kept) {
        if (!redis.isUp()) {
            return false;
        }
        long downNanos = world.between(1_000_000, LONGEST_RESTART_NANOS);
        world.note(() -> redis.address() + " restarts for " + downNanos / 1_000_000 + " ms and keeps "
                + kept.name().toLowerCase(Locale.ROOT));
        redis.stop(kept);
        world.after(downNanos, redis::start);
        return true;
    }

    /**
     * Whether everything goes on if this node forgets. More than a minority that forgets at one time is a loss by
     * design: nothing could tell what was decided, and an operator is asked. So the next one goes only when the last
     * one has been replaced.
     */
    private boolean canSpare(SimRedis redis) {
        leaving.removeIf(address -> witness.newest().at(address).isEmpty());
        return !isNewcomer(redis)
                && witness.needed().stream()
                        .allMatch(set -> survives(set, redis.address(), Set.of())
                                && survives(set, redis.address(), leaving)
                                && leaving.stream().allMatch(one -> survives(set, redis.address(), Set.of(one))));
    }

    /** Whether it may enter the set at any moment: a leader that has not noticed would count on it. */
    private boolean isNewcomer(SimRedis redis) {
        return redis.member()
                .filter(redis::isStill)
                .filter(id -> witness.needed().stream().noneMatch(set -> set.contains(id)))
                .isPresent();
    }

    /** Whether a majority of the set lives on without this node, if those others leave the set as well. */
    private boolean survives(MemberSet set, String without, Set<String> left) {
        List<Member> members = set.members().stream()
                .filter(member -> !left.contains(member.address()))
                .toList();
        long living = members.stream()
                .filter(member -> !member.address().equals(without) && lives(member))
                .count();
        return 2 * living > members.size();
    }

    private boolean lives(Member member) {
        return at(member.address()).isStill(member.id());
    }

    @Override
    public void calm() {
        calm = true;
        allWays.forEach(Way::heal);
        redises.forEach(SimRedis::wake);
        if (spec.minorityStaysDown()) {
            int down = (spec.nodes() - 1) / 2;
            redises.stream().filter(this::canSpare).limit(down).forEach(redis -> {
                world.note(() -> redis.address() + " is down for good");
                redis.leave();
            });
        }
    }

    @Override
    public void stepped() {}
}
