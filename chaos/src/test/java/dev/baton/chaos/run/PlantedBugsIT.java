package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Judgement.Verdict;
import dev.baton.chaos.checker.Rule;
import dev.baton.chaos.checker.Violation;
import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.run.PlantedBug.Edit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The harness finds bugs that are known to be there: without this, its PASS would mean little. */
@Timeout(600)
class PlantedBugsIT {

    @TempDir
    Path folder = Path.of("");

    @Test
    void anAcknowledgementBeforeTheCommitIsFound() throws IOException, InterruptedException {
        PlantedBug bug = PlantedBug.of(new Edit(
                "duty/sequencer",
                "dev.baton.duty.sequencer.TransactionPool",
                "return added.answer.minimalCompletionStage();",
                """
                added.answer.complete(new Submitted.Accepted(
                        new dev.baton.core.Height(1), 0, hash, Hash.sha256(transaction), false));
                return added.answer.minimalCompletionStage();"""));
        ChaosRun.Outcome outcome = run("raft", "sequencer", bug, List.of(leader(1, 3, 3, FaultKind.KILL)));

        assertFound(outcome, Rule.TRUE_ANSWER, Rule.ONE_BLOCK);
    }

    /** One Redis of three is enough for this one: cut off from the others, two holders commit side by side. */
    @Test
    void aCommitWithoutAMajorityIsFound() throws IOException, InterruptedException {
        PlantedBug bug = PlantedBug.of(new Edit(
                "authority/redis",
                "dev.baton.authority.redis.protocol.MemberSet",
                "return members.size() / 2 + 1;",
                "return 1;"));
        List<PlannedFault> faults = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // The holder keeps one Redis, the others keep two.
            faults.add(fault(
                    i + 1,
                    3 + 10L * i,
                    7,
                    FaultKind.PARTITION,
                    List.of(PlannedFault.LEADER, "redis-" + (i + 1)),
                    Map.of("way", "both")));
        }
        ChaosRun.Outcome outcome = run("redis", "sequencer", bug, faults);

        assertFound(outcome, Rule.ONE_BLOCK, Rule.ACKNOWLEDGED, Rule.HIGHEST_EPOCH, Rule.ONCE);
    }

    /**
     * The holder lives and reaches its engine when another one claims its seat on evidence. Nothing but what an append
     * compares keeps it from going on beside its successor. That it hears of the successor is taken away as well: that is
     * a hint, safety never rests on it, and with it the holder would stop after an entry or none, by luck.
     */
    @Test
    void anEngineThatSkipsTheEpochCheckIsFound() throws IOException, InterruptedException {
        PlantedBug bug = PlantedBug.of(
                new Edit("authority/etcd", "dev.baton.authority.etcd.seat.Transactions", """
                                .addAllCompare(holds(term))
                                .addCompare(endsAt(parent))
                """, ""),
                new Edit(
                        "seat",
                        "dev.baton.seat.SeatSight",
                        "case SeatEvent.Taken(Seating seating) -> loop.post(() -> taken(seating));",
                        "case SeatEvent.Taken(Seating seating) -> {}"));
        List<PlannedFault> faults = List.of(
                leader(1, 3, 2, FaultKind.FALSE_EVIDENCE),
                leader(2, 9, 2, FaultKind.FALSE_EVIDENCE),
                leader(3, 15, 2, FaultKind.FALSE_EVIDENCE));
        ChaosRun.Outcome outcome = run("etcd", "sequencer", bug, faults);

        assertFound(outcome, Rule.ONE_BLOCK, Rule.ONE_PRODUCER, Rule.HIGHEST_EPOCH, Rule.REAL_TIME, Rule.ONCE);
    }

    /** A holder that slept through its lease wakes up and goes on handing out what it had reserved. */
    @Test
    void aHolderThatGoesOnAfterItWasFencedIsFound() throws IOException, InterruptedException {
        PlantedBug bug = PlantedBug.of(
                new Edit("duty/tokens", "dev.baton.duty.tokens.TokenDuty", "                current = null;\n", ""),
                new Edit(
                        "duty/tokens",
                        "dev.baton.duty.tokens.LeasedDesk",
                        "return !range.isFrozen() && !tenure.isQuiet() && tenure.holds();",
                        "return !range.isFrozen();"));
        ChaosRun.Outcome outcome = run(
                "raft", "tokens", bug, List.of(leader(1, 3, 5, FaultKind.PAUSE), leader(2, 11, 5, FaultKind.PAUSE)));

        assertFound(outcome, Rule.REVISION, Rule.HIGHEST_EPOCH);
    }

    /**
     * A Redis that has lost everything must not vote again as the member that it was: it has forgotten what it promised
     * and what it held. Here the holder commits on two of three while the third and both other nodes are cut off. Then it
     * dies, one of the two sleeps and the other comes back empty: those that were cut off elect one of them by the empty
     * one's vote, and know nothing of what was committed meanwhile.
     */
    @Test
    void aBlankServerThatVotesIsFound() throws IOException, InterruptedException {
        PlantedBug bug = PlantedBug.of(new Edit(
                "authority/redis",
                "dev.baton.authority.redis.quorum.Roster",
                "case Answer.Blank(String why) -> lost(why, true);",
                """
                case Answer.Blank(String why) -> {
                    List<Sight> known = lastSights();
                    Optional<Member> it = voters().stream()
                            .filter(member -> member.address().equals(address()))
                            .findFirst();
                    lost(why, true);
                    it.ifPresent(member -> ask(
                            new Ask.Admit(
                                    member.id(),
                                    Optional.empty(),
                                    link.fsync(),
                                    link.runId(),
                                    Optional.empty(),
                                    known.getFirst().governing(),
                                    Optional.empty()),
                            Link.Lane.EXPRESS,
                            admitted -> introduce()));
                }"""));
        List<PlannedFault> faults = List.of(
                // The number makes it one that resets: what was sent meanwhile is not to arrive afterwards.
                fault(
                        3,
                        2,
                        7,
                        FaultKind.PARTITION,
                        List.of(PlannedFault.LEADER, "redis-1", "redis-2"),
                        Map.of("way", "both")),
                leader(4, 6, 14, FaultKind.KILL),
                fault(5, 7, 14, FaultKind.PAUSE, List.of("redis-2"), Map.of()),
                fault(6, 7, 1, FaultKind.ENGINE_EMPTY, List.of("redis-1"), Map.of()));
        ChaosRun.Outcome outcome = run("redis", "sequencer", bug, faults);

        assertFound(outcome, Rule.ONE_BLOCK, Rule.ACKNOWLEDGED, Rule.TRUE_ANSWER, Rule.ONCE);
    }

    /** The verdict names one of the rules, and the report shows where. */
    private static void assertFound(ChaosRun.Outcome outcome, Rule... rules) throws IOException {
        Judgement judgement = outcome.judgement();
        assertThat(judgement.verdict()).as("in doubt: %s", judgement.doubts()).isEqualTo(Verdict.FAIL);
        assertThat(judgement.counts().keySet())
                .as("what was found: %s", judgement.violations())
                .containsAnyOf(rules);
        Violation found = judgement.violations().stream()
                .filter(each -> List.of(rules).contains(each.rule()))
                .findFirst()
                .orElseThrow();
        assertThat(Files.readString(outcome.page()))
                .contains("FAIL")
                .contains(found.rule().id())
                .contains("id=\"violation-1\"");
        assertThat(found.ops().size() + found.heights().size())
                .as("operations and heights that %s names", found)
                .isPositive();
    }

    private static PlannedFault leader(int id, long atSeconds, long seconds, FaultKind kind) {
        return fault(id, atSeconds, seconds, kind, List.of(PlannedFault.LEADER), Map.of());
    }

    private static PlannedFault fault(
            int id,
            long atSeconds,
            long seconds,
            FaultKind kind,
            List<String> targets,
            Map<String, String> parameters) {
        return new PlannedFault(
                id, TimeUnit.SECONDS.toNanos(atSeconds), TimeUnit.SECONDS.toNanos(seconds), kind, targets, parameters);
    }

    private ChaosRun.Outcome run(String authority, String duty, PlantedBug bug, List<PlannedFault> faults)
            throws IOException, InterruptedException {
        Path inFront = bug.into(folder.resolve("planted"));
        long endNanos = faults.stream().mapToLong(PlannedFault::endNanos).max().orElseThrow();
        return ChaosRun.run(
                new ChaosSettings(
                        authority,
                        duty,
                        1,
                        Duration.ofNanos(endNanos).plusSeconds(4),
                        Set.of(FaultKind.KILL),
                        Optional.of(faults),
                        folder.resolve("report"),
                        true),
                (place, kind, toDo, forgetful) -> Cluster.startPlanted(place, kind, toDo, inFront),
                line -> {});
    }
}
