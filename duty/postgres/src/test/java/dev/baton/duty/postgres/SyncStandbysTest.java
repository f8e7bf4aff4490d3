package dev.baton.duty.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** INV-24: the primary waits for everybody whom the ledger calls complete, at every moment. */
class SyncStandbysTest {

    private static final Lsn HERE = new Lsn(1000);
    private static final long LATER = Duration.ofSeconds(3).toNanos();

    private final SyncStandbys sync = new SyncStandbys();

    private static Database.Follower follower(String node, long flushed, boolean synchronous) {
        return new Database.Follower(node, new Lsn(flushed), synchronous);
    }

    @Test
    void aStandbyIsWaitedForBeforeItIsCalledComplete() {
        SyncStandbys.Plan first = sync.next(Set.of(), List.of(follower("n2", 1000, false)), HERE, "", 0);
        assertThat(first.waitFor()).containsExactly("n2");
        assertThat(first.complete()).isEmpty();

        SyncStandbys.Plan behind = sync.next(Set.of(), List.of(follower("n2", 999, true)), HERE, "", 1);
        assertThat(behind.complete()).isEmpty();

        SyncStandbys.Plan caughtUp = sync.next(Set.of(), List.of(follower("n2", 1000, true)), HERE, "", 2);
        assertThat(caughtUp.waitFor()).containsExactly("n2");
        assertThat(caughtUp.complete()).containsExactly("n2");
    }

    @Test
    void aStandbyThatIsGoneIsWaitedForUntilTheLedgerNoLongerNamesIt() {
        List<Database.Follower> nobody = List.of();
        assertThat(sync.next(Set.of("n2"), nobody, HERE, "", 0).complete())
                .containsExactly("n2"); // perhaps a moment only
        SyncStandbys.Plan given = sync.next(Set.of("n2"), nobody, HERE, "", LATER);
        assertThat(given.complete()).isEmpty();
        assertThat(given.waitFor()).containsExactly("n2");
        assertThat(sync.next(Set.of(), nobody, HERE, "", LATER + 1).waitFor()).isEmpty();
    }

    @Test
    void theFurthestStandbyIsChosen() {
        List<Database.Follower> both = List.of(follower("n2", 10, false), follower("n3", 900, false));
        assertThat(sync.next(Set.of(), both, HERE, "", 0).waitFor()).containsExactly("n3");
    }

    @Test
    void aStandbyThatIsWantedIsMadeCompleteBesideTheOneThatIsAndThenReplacesIt() {
        List<Database.Follower> both = List.of(follower("n2", 1000, true), follower("n3", 1000, true));
        SyncStandbys.Plan first = sync.next(Set.of("n2"), both, HERE, "n3", 0);
        assertThat(first.waitFor()).containsExactly("n2", "n3");
        assertThat(first.complete()).containsExactly("n2", "n3");

        SyncStandbys.Plan then = sync.next(Set.of("n2", "n3"), both, HERE, "n3", 1);
        assertThat(then.waitFor()).containsExactly("n2", "n3"); // until the ledger no longer names n2
        assertThat(then.complete()).containsExactly("n3");
    }

    @Test
    void aStandbyThatIsWantedButAwayChangesNothing() {
        List<Database.Follower> one = List.of(follower("n2", 1000, true));
        assertThat(sync.next(Set.of("n2"), one, HERE, "n3", 0))
                .isEqualTo(new SyncStandbys.Plan(Set.of("n2"), Set.of("n2")));
    }

    @Test
    void withoutACompleteStandbyCommitsWaitInStrictModeOnly() {
        assertThat(SyncStandbys.names(Set.of(), PostgresSettings.Mode.STRICT))
                .isNotEmpty()
                .isNotEqualTo("*");
        assertThat(SyncStandbys.names(Set.of(), PostgresSettings.Mode.SYNCHRONOUS))
                .isEmpty();
        assertThat(SyncStandbys.names(Set.of("n2"), PostgresSettings.Mode.ASYNCHRONOUS))
                .isEmpty();
        assertThat(SyncStandbys.names(Set.of("n-2"), PostgresSettings.Mode.STRICT))
                .isEqualTo("FIRST 1 (\"n-2\")");
    }
}
