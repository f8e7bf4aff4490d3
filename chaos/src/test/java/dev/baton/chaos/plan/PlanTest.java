package dev.baton.chaos.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a schedule promises, for a thousand seeds on each authority. */
class PlanTest {

    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    private static final List<Topology> CLUSTERS = List.of(
            Topology.of("raft", NODES, List.of()),
            Topology.of("redis", List.of("n1", "n2"), List.of("r1", "r2", "r3")),
            Topology.of("redis", NODES, List.of("r1", "r2", "r3", "r4", "r5")),
            Topology.of("etcd", List.of("n1", "n2"), List.of("e1", "e2", "e3")),
            Topology.of("nats", List.of("n1", "n2"), List.of("s1", "s2", "s3")),
            Topology.of("raft", NODES, List.of()).withCompanions(List.of("c1", "c2", "c3")));

    private static Plan plan(long seed, Topology cluster) {
        return Plan.of(seed, MINUTE, ALL, cluster, Pace.usual(cluster.authority(), LEASE));
    }

    private static void forEachSeed(BiConsumer<Topology, Plan> check) {
        for (Topology cluster : CLUSTERS) {
            for (long seed = 0; seed < 1_000; seed++) {
                check.accept(cluster, plan(seed, cluster));
            }
        }
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        for (Topology cluster : CLUSTERS) {
            Set<Plan> different = new HashSet<>();
            for (long seed = 0; seed < 1_000; seed++) {
                Plan plan = plan(seed, cluster);
                assertThat(plan).isEqualTo(plan(seed, cluster));
                different.add(plan);
            }
            assertThat(different).hasSize(1_000);
        }
    }

    /** A seed in an old report must repeat the old run. If this changes on purpose, say so in the changelog. */
    @Test
    void aSeedMeansTheSameScheduleForEver() {
        assertThat(plan(42, CLUSTERS.get(0)).faults().stream()
                        .limit(4)
                        .map(each -> each.atNanos() / 1_000_000 + " "
                                + each.kind().label() + " " + each.targets() + " " + each.parameters()))
                .containsExactly(
                        "3188 latency [@leader] {delayMillis=354, jitterMillis=57, link=PEER}",
                        "3564 kill [@leader] {}",
                        "4410 slow-fsync [n1] {delayMillis=276}",
                        "7935 pause [@leader] {}");
    }

    @Test
    void thePaceIsKeptOverTheWholeRun() {
        forEachSeed((cluster, plan) -> assertThat(plan.faults())
                .hasSizeGreaterThanOrEqualTo(cluster.authority().equals("nats") ? 10 : 20));
    }

    @Test
    void threeKindsOverlapAtSomeMomentAndNeverMore() {
        forEachSeed((cluster, plan) -> {
            int most = 0;
            for (PlannedFault each : plan.faults()) {
                List<PlannedFault> atOnce = plan.faults().stream()
                        .filter(other -> other.atNanos() <= each.atNanos() && each.atNanos() < other.endNanos())
                        .toList();
                Set<FaultKind> kinds = atOnce.stream().map(PlannedFault::kind).collect(Collectors.toSet());
                assertThat(kinds).as("no kind twice at a time").hasSameSizeAs(atOnce);
                most = Math.max(most, kinds.size());
            }
            assertThat(most).isEqualTo(Plan.MOST_AT_ONCE);
        });
    }

    @Test
    void theBeginningAndTheTailAreQuiet() {
        forEachSeed((cluster, plan) -> {
            Pace pace = Pace.usual(cluster.authority(), LEASE);
            assertThat(plan.faults()).allSatisfy(each -> {
                assertThat(each.atNanos()).isGreaterThanOrEqualTo(pace.warmUp().toNanos());
                assertThat(each.lastingNanos()).isPositive();
                assertThat(each.endNanos()).isLessThanOrEqualTo(plan.quietFromNanos());
            });
            assertThat(plan.quietFromNanos())
                    .isEqualTo(MINUTE.minus(pace.quietTail()).toNanos());
        });
    }

    @Test
    void aMajorityNeverLosesItsData() {
        forEachSeed((cluster, plan) -> {
            Set<String> destroyed = plan.faults().stream()
                    .filter(each -> each.kind() == FaultKind.ENGINE_EMPTY || each.kind() == FaultKind.ENGINE_ROLLBACK)
                    .flatMap(each -> each.targets().stream())
                    .collect(Collectors.toSet());
            assertThat(destroyed.size() * 2)
                    .isLessThan(Math.max(1, cluster.engines().size()));
        });
    }

    @Test
    void whereARestartIsALossOnlyAMinorityIsRestarted() {
        Set<FaultKind> losing = EnumSet.of(
                FaultKind.ENGINE_EMPTY, FaultKind.ENGINE_ROLLBACK, FaultKind.ENGINE_RESTART, FaultKind.DISK_FULL);
        Topology cluster = CLUSTERS.get(1).thatForgets();
        for (long seed = 1; seed <= 200; seed++) {
            Set<String> struck = Plan.of(seed, MINUTE, ALL, cluster, Pace.usual("redis", LEASE)).faults().stream()
                    .filter(each -> losing.contains(each.kind()))
                    .flatMap(each -> each.targets().stream())
                    .collect(Collectors.toSet());
            assertThat(struck).as("seed %d", seed).hasSize(1);
        }
    }

    @Test
    void everyKindThatAppliesIsUsedAndNoOther() {
        forEachSeed((cluster, plan) -> {
            Set<FaultKind> used = plan.faults().stream().map(PlannedFault::kind).collect(Collectors.toSet());
            assertThat(used).noneMatch(Applicability.exceptions(cluster)::containsKey);
            int applicable = ALL.size() - Applicability.exceptions(cluster).size();
            if (plan.faults().size() >= applicable + 2) {
                assertThat(used).hasSize(applicable);
            }
        });
    }

    @Test
    void targetsExistAndNoProcessIsStruckTwiceAtATime() {
        forEachSeed((cluster, plan) -> {
            Set<String> known = Stream.of(
                            cluster.nodes(),
                            cluster.engines(),
                            cluster.companions(),
                            List.of(PlannedFault.LEADER, PlannedFault.COMPANION))
                    .flatMap(List::stream)
                    .collect(Collectors.toSet());
            assertThat(plan.faults()).allSatisfy(each -> {
                assertThat(known).containsAll(each.targets());
                assertThat(each.targets().isEmpty()).isEqualTo(each.kind().target() == FaultKind.Target.CLUSTER);
                if (each.kind().target() == FaultKind.Target.LINK) {
                    assertThat(cluster.links()).contains(Link.valueOf(each.text("link")));
                }
            });
            Set<FaultKind> process = EnumSet.of(
                    FaultKind.KILL, FaultKind.PAUSE, FaultKind.CLOCK, FaultKind.DISK_FULL, FaultKind.SLOW_FSYNC);
            for (PlannedFault one : plan.faults()) {
                for (PlannedFault other : plan.faults()) {
                    if (one.id() < other.id()
                            && process.contains(one.kind())
                            && process.contains(other.kind())
                            && other.atNanos() < one.endNanos()) {
                        assertThat(one.targets()).doesNotContainAnyElementsOf(other.targets());
                    }
                }
            }
        });
    }

    @Test
    void whatRunsBesideNodesIsKilledAndPausedAsOftenAsTheyAre() {
        Topology cluster = CLUSTERS.getLast();
        Set<String> beside = Set.of(PlannedFault.COMPANION, "c1", "c2", "c3");
        Set<String> struck = new HashSet<>();
        int[] count = {0, 0};
        for (long seed = 0; seed < 1_000; seed++) {
            plan(seed, cluster).faults().stream()
                    .filter(each -> each.kind() == FaultKind.KILL || each.kind() == FaultKind.PAUSE)
                    .map(each -> each.targets().getFirst())
                    .forEach(target -> {
                        struck.add(target);
                        count[beside.contains(target) ? 1 : 0]++;
                    });
        }
        assertThat(struck).containsAll(beside).containsAll(NODES).contains(PlannedFault.LEADER);
        assertThat(count[1] * 100 / (count[0] + count[1])).isBetween(40, 60);
    }

    @Test
    void aboutHalfOfThePausesOutlastTheLease() {
        List<PlannedFault> pauses = new java.util.ArrayList<>();
        forEachSeed((cluster, plan) -> plan.faults().stream()
                .filter(each -> each.kind() == FaultKind.PAUSE)
                .forEach(pauses::add));
        long longer = pauses.stream()
                .filter(each -> each.lastingNanos() > LEASE.toNanos())
                .count();
        assertThat(longer * 100 / pauses.size()).isBetween(40L, 80L);
    }

    @Test
    void theLeaderIsStruckOftenAndPartitionsAreOfAllSorts() {
        Set<String> sorts = new HashSet<>();
        int[] leader = {0, 0};
        forEachSeed((cluster, plan) -> plan.faults().forEach(each -> {
            leader[each.targets().contains(PlannedFault.LEADER) ? 1 : 0]++;
            if (each.kind() == FaultKind.PARTITION) {
                sorts.add(each.targets().size() + " " + each.text("way"));
            }
        }));
        assertThat(leader[1] * 4).isGreaterThan(leader[0]);
        assertThat(sorts).contains("1 both", "1 in", "1 out", "2 both", "2 in", "2 out", "3 both");
    }

    @Test
    void numbersFollowTheOrderOfTime() {
        forEachSeed((cluster, plan) -> {
            for (int i = 0; i < plan.faults().size(); i++) {
                assertThat(plan.faults().get(i).id()).isEqualTo(i + 1);
            }
            assertThat(plan.faults()).isSortedAccordingTo(java.util.Comparator.comparingLong(PlannedFault::atNanos));
        });
    }

    @Test
    void aShortRunIsMostlyFaultsAndALongOneKeepsItsPace() {
        Topology cluster = CLUSTERS.get(0);
        Plan brief = Plan.of(1, Duration.ofSeconds(12), ALL, cluster, Pace.usual("raft", LEASE));
        assertThat(brief.faults()).hasSizeGreaterThanOrEqualTo(4);
        assertThat(brief.quietFromNanos()).isEqualTo(Duration.ofSeconds(8).toNanos());
        Plan hours = Plan.of(1, Duration.ofHours(2), ALL, cluster, Pace.usual("raft", LEASE));
        assertThat(hours.faults()).hasSizeGreaterThanOrEqualTo(2_400);
    }

    @Test
    void oneKindAloneKeepsThePaceAndKindsThatDoNotGoTogetherDoToo() {
        Topology cluster = CLUSTERS.get(0);
        for (Set<FaultKind> kinds :
                List.of(Set.of(FaultKind.KILL), Set.of(FaultKind.KILL, FaultKind.ROLLING_RESTART))) {
            Plan plan = Plan.of(7, MINUTE, kinds, cluster, Pace.usual("raft", LEASE));
            assertThat(plan.faults()).hasSizeGreaterThanOrEqualTo(20);
            assertThat(plan.faults().stream().map(PlannedFault::kind).collect(Collectors.toSet()))
                    .isEqualTo(kinds);
        }
    }

    @Test
    void nothingApplicableIsAPlanWithoutFaults() {
        Plan plan = Plan.of(7, MINUTE, Set.of(FaultKind.ENGINE_EMPTY), CLUSTERS.get(0), Pace.usual("raft", LEASE));
        assertThat(plan.faults()).isEmpty();
    }

    @Test
    void theTableSaysWhyAFaultDoesNotApply() {
        assertThat(Applicability.exceptions(CLUSTERS.get(0)).keySet())
                .containsExactly(FaultKind.ENGINE_RESTART, FaultKind.ENGINE_ROLLBACK, FaultKind.ENGINE_EMPTY);
        assertThat(Applicability.exceptions(CLUSTERS.get(1)).keySet()).containsExactly(FaultKind.ENGINE_ROLLBACK);
        assertThat(Applicability.exceptions(CLUSTERS.get(1).thatForgets())).isEmpty();
        assertThat(Applicability.exceptions(CLUSTERS.get(3)).keySet())
                .containsExactly(FaultKind.ENGINE_ROLLBACK, FaultKind.ENGINE_EMPTY);
        Map<FaultKind, String> alone = Applicability.exceptions(Topology.of("redis", List.of("n1"), List.of("r1")));
        assertThat(alone).containsKeys(FaultKind.HANDOFF, FaultKind.ROLLING_RESTART, FaultKind.ENGINE_EMPTY);
        assertThat(alone.get(FaultKind.ENGINE_EMPTY)).contains("expected: 3 or more");
    }

    @Test
    void aRunTooShortToJudgeIsRefused() {
        assertThatThrownBy(() -> Plan.of(1, Duration.ofSeconds(2), ALL, CLUSTERS.get(0), Pace.usual("raft", LEASE)))
                .hasMessage("for: PT2S (expected: PT5S or longer)");
        assertThatThrownBy(() -> new Pace(0, LEASE, LEASE, LEASE)).hasMessageContaining("expected: 1 to 120");
    }
}
