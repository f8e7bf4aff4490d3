package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Each planted fault must be found, and nothing else. */
class ChainObserverTest {

    private final ChainObserver observer = new ChainObserver();

    private static SeenBlock block(long height, long epoch) {
        return new SeenBlock(height, "h" + height, "h" + (height - 1), epoch, "n1", 0, 0);
    }

    private void show(String node, long from, long to) {
        for (long height = from; height <= to; height++) {
            observer.seen(node, block(height, 1));
        }
    }

    @Test
    void aCleanRunPasses() {
        observer.follow("n1", 0);
        observer.follow("n2", 0);
        show("n1", 1, 5);
        show("n2", 1, 5);

        ChainObserver.Blocks tally = observer.tally();
        assertThat(tally.passed()).isTrue();
        assertThat(tally.blocks()).isEqualTo(5);
        assertThat(tally.terms()).isEqualTo(1);
    }

    @Test
    void aBlockIsNewOnlyOnce() {
        observer.follow("n1", 0);
        observer.follow("n2", 0);

        assertThat(observer.seen("n1", block(1, 1))).isPresent();
        assertThat(observer.seen("n2", block(1, 1))).isEmpty();
        assertThat(observer.seen("n1", block(1, 1))).isEmpty();
    }

    @Test
    void noBlockIsNoPass() {
        observer.follow("n1", 0);

        assertThat(observer.tally().passed()).isFalse();
    }

    @Test
    void twoBlocksAtOneHeightAreAFork() {
        observer.follow("n1", 0);
        observer.follow("n2", 0);
        show("n1", 1, 3);
        show("n2", 1, 2);
        observer.seen("n2", new SeenBlock(3, "other", "h2", 1, "n2", 0, 0));

        assertThat(observer.tally().forks()).isEqualTo(1);
        assertThat(observer.tally().gaps()).isZero();
        assertThat(observer.tally().passed()).isFalse();
        assertThat(observer.tally().findings()).containsExactly("fork: two blocks at height 3: h3 and, at n2, other");
    }

    @Test
    void aNodeThatChangesItsMindAfterARestartIsAFork() {
        observer.follow("n1", 0);
        show("n1", 1, 3);
        observer.follow("n1", 0);
        observer.seen("n1", new SeenBlock(3, "other", "h2", 2, "n1", 0, 0));

        assertThat(observer.tally().forks()).isEqualTo(1);
    }

    @Test
    void aMissingHeightIsAGap() {
        observer.follow("n1", 0);
        show("n1", 1, 3);
        show("n1", 5, 6);

        assertThat(observer.tally().gaps()).isEqualTo(1);
        assertThat(observer.tally().findings()).containsExactly("gap: n1 goes from height 3 to 5");
    }

    @Test
    void aMissingFirstBlockIsAGap() {
        observer.follow("n1", 0);
        show("n1", 2, 3);

        assertThat(observer.tally().gaps()).isEqualTo(1);
    }

    @Test
    void aBlockOnAnotherParentIsAGap() {
        observer.follow("n1", 0);
        show("n1", 1, 3);
        observer.seen("n1", new SeenBlock(4, "h4", "elsewhere", 1, "n1", 0, 0));

        assertThat(observer.tally().gaps()).isEqualTo(1);
    }

    @Test
    void anEpochThatFallsIsAFork() {
        observer.follow("n1", 0);
        observer.seen("n1", block(1, 2));
        observer.seen("n1", block(2, 1));

        assertThat(observer.tally().forks()).isEqualTo(1);
    }

    @Test
    void everyEpochIsATerm() {
        observer.follow("n1", 0);
        observer.seen("n1", block(1, 2));
        observer.seen("n1", block(2, 2));
        observer.seen("n1", block(3, 5));

        assertThat(observer.tally().terms()).isEqualTo(2);
    }

    @Test
    void blocksFromBeforeDoNotCountForAResumedCluster() {
        observer.follow("n1", 100);
        observer.follow("n2", 98);
        show("n2", 99, 101);
        show("n1", 101, 102);

        ChainObserver.Blocks tally = observer.tally();
        assertThat(tally.blocks()).isEqualTo(2);
        assertThat(tally.passed()).isTrue();
    }

    @Test
    void aNodeThatCameBackIsFollowedFromWhereItWas() {
        observer.follow("n1", 0);
        show("n1", 1, 4);

        assertThat(observer.follow("n1", 9)).isEqualTo(5);
    }

    @Test
    void onceFrozenLaggardsAreStillComparedButNothingNewCounts() {
        observer.follow("n1", 0);
        observer.follow("n2", 0);
        show("n1", 1, 3);
        observer.freeze();
        observer.seen("n1", block(4, 1));
        assertThat(observer.isLevel("n2")).isFalse();
        observer.seen("n2", new SeenBlock(1, "other", "h0", 1, "n2", 0, 0));
        show("n2", 2, 3);

        assertThat(observer.tally().blocks()).isEqualTo(3);
        assertThat(observer.tally().forks()).isEqualTo(1);
        assertThat(observer.isLevel("n2")).isTrue();
    }

    @Test
    void aLongRunRemembersOnlyWhatCanStillBeCompared() {
        observer.follow("n1", 0);
        observer.follow("n2", 0);
        show("n1", 1, 1000);
        show("n2", 1, 999);
        observer.seen("n2", new SeenBlock(1000, "other", "h999", 1, "n2", 0, 0));

        assertThat(observer.tally().forks()).isEqualTo(1);
    }
}
