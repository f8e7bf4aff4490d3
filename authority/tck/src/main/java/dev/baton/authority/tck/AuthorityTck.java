package dev.baton.authority.tck;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of {@link dev.baton.authority.Authority}, as tests that every engine passes.
 *
 * <p>An engine extends this class once and returns its fixture; there is nothing to switch off. The tests stand in the
 * interfaces that this class implements, a group in each. They run in real time, wait for conditions with much patience,
 * and measure nothing.
 *
 * <h2>Where engines must differ</h2>
 *
 * <ul>
 *   <li><em>Moving.</em> An engine with elections of its own may answer {@code Refused}, {@code Unavailable} or
 *       {@code Indeterminate} while it moves: on Raft the holder sits on the leader's member, so a promotion from another
 *       member of a vacant seat first moves the leadership. Contenders ask again; they give up when they hear
 *       {@code Held} by another term, unless they know that this term has resigned (a member may lag for a moment).
 *   <li><em>Sharing.</em> Eight contenders reach Raft through three members. The epoch still grows with every term, even
 *       if the next holder sits on the same member, and even if it is the same process again.
 *   <li><em>Falling silent.</em> Where appends alone renew the lease, a holder that sends nothing lapses. A Raft member
 *       renews by itself, so there the member stops. Nowhere is the seat given away before {@link EngineFixture#lease()}
 *       is over, counted from the last append.
 *   <li><em>Evidence.</em> An engine may give the seat away on evidence at once ({@code REPLACED}), or answer {@code Held}
 *       until it has made up its own mind ({@code LAPSED}).
 *   <li><em>How a term ended.</em> {@code NONE}, {@code RESIGNED} (once a resignation was answered with {@code Done}) and
 *       {@code HANDED_OFF} are known on every engine. A term that ended in any other way, a restart of the engine among
 *       them, is {@code LAPSED}, or {@code REPLACED} if the successor brought evidence.
 *   <li><em>Several seats.</em> One node may hold several; resigning one leaves it the others. On Raft two nodes never hold
 *       seats of one group at the same time, so no test asks for that.
 *   <li><em>A restart of the engine.</em> The holder's term may go on or be over, but not both; entries and epochs stay.
 *   <li><em>Watching.</em> Every observer hears of every change or that it missed some; between two members an event may
 *       come late, and a moving engine may call a seat vacant for a moment.
 *   <li><em>Closing.</em> Nobody resigns by closing, so the successor hears {@code LAPSED}. Where the engine lives in the
 *       node, closing stops its member.
 * </ul>
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class AuthorityTck
        implements HoldingTests,
                FencingTests,
                LeaseTests,
                HandoffTests,
                LedgerTests,
                ReadingTests,
                TrimmingTests,
                WatchingTests,
                LossTests,
                RestartTests {

    private @Nullable Bench bench;

    /**
     * Starts the engine. Called once, before the first test.
     *
     * @param dir an empty folder for its data, deleted after the last test
     */
    protected abstract EngineFixture open(Path dir) throws Exception;

    @Override
    public Bench bench() {
        if (bench == null) {
            throw new IllegalStateException("the engine is not open (expected: JUnit runs the kit)");
        }
        return bench;
    }

    @BeforeAll
    void openEngine(@TempDir Path dir) throws Exception {
        bench = new Bench(open(dir));
    }

    @AfterEach
    void tidyBench() {
        bench().tidy();
    }

    @AfterAll
    void closeEngine() {
        if (bench != null) {
            bench.close();
        }
    }
}
