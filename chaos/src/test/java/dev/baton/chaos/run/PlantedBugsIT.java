package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.checker.Judgement.Verdict;
import dev.baton.chaos.checker.Rule;
import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
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
        PlantedBug bug = new PlantedBug(
                "duty/sequencer",
                "dev.baton.duty.sequencer.TransactionPool",
                "return added.answer.minimalCompletionStage();",
                """
                added.answer.complete(new Submitted.Accepted(
                        new dev.baton.core.Height(1), 0, hash, Hash.sha256(transaction), false));
                return added.answer.minimalCompletionStage();""");
        ChaosRun.Outcome outcome = run("raft", bug, List.of(fault(1, 4, 4, FaultKind.KILL)));

        assertThat(outcome.judgement().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.judgement().counts()).containsKey(Rule.TRUE_ANSWER);
        assertThat(Files.readString(outcome.page())).contains("FAIL").contains(Rule.TRUE_ANSWER.id());
    }

    /** One Redis of three is enough for this one: cut off from the others, two holders commit side by side. */
    @Test
    void aCommitWithoutAMajorityIsFound() throws IOException, InterruptedException {
        PlantedBug bug = new PlantedBug(
                "authority/redis",
                "dev.baton.authority.redis.protocol.MemberSet",
                "return members.size() / 2 + 1;",
                "return 1;");
        List<PlannedFault> faults = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // The holder keeps one Redis, the others keep two.
            faults.add(new PlannedFault(
                    i + 1,
                    TimeUnit.SECONDS.toNanos(3 + 12L * i),
                    TimeUnit.SECONDS.toNanos(8),
                    FaultKind.PARTITION,
                    List.of(PlannedFault.LEADER, "redis-" + (i + 1)),
                    Map.of("way", "both")));
        }
        ChaosRun.Outcome outcome = run("redis", bug, faults);

        assertThat(outcome.judgement().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.judgement().counts().keySet())
                .as("what was found: %s", outcome.judgement().violations())
                .containsAnyOf(Rule.ONE_BLOCK, Rule.ACKNOWLEDGED, Rule.HIGHEST_EPOCH, Rule.ONCE);
    }

    private static PlannedFault fault(int id, long atSeconds, long seconds, FaultKind kind) {
        return new PlannedFault(
                id,
                TimeUnit.SECONDS.toNanos(atSeconds),
                TimeUnit.SECONDS.toNanos(seconds),
                kind,
                List.of(PlannedFault.LEADER),
                Map.of());
    }

    private ChaosRun.Outcome run(String authority, PlantedBug bug, List<PlannedFault> faults)
            throws IOException, InterruptedException {
        Path inFront = bug.into(folder.resolve("planted"));
        Duration lasting = Duration.ofNanos(faults.getLast().endNanos()).plusSeconds(6);
        return ChaosRun.run(
                new ChaosSettings(
                        authority,
                        "sequencer",
                        1,
                        lasting,
                        Set.of(FaultKind.KILL),
                        Optional.of(faults),
                        folder.resolve("report")),
                (place, kind, duty) -> Cluster.startPlanted(place, kind, duty, inFront),
                line -> {});
    }
}
