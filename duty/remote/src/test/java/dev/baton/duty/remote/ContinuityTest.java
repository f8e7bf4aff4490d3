package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Hash;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** INV-26, case by case. */
class ContinuityTest {

    private static final BlockRef RECORDED = new BlockRef(7, hash(7));

    private static Hash hash(int number) {
        return Hash.parse("%064x".formatted(number));
    }

    private static Continuity judge(BlockRef head, Ancestor ancestor, boolean trusting) {
        RemoteView view =
                new RemoteView(false, head, 0, ancestor, OptionalLong.empty(), Optional.empty(), Optional.empty());
        return Continuity.of(RECORDED, view, trusting);
    }

    private static void assertBroken(Continuity continuity, String why) {
        assertThat(continuity)
                .isInstanceOfSatisfying(
                        Continuity.Broken.class,
                        broken -> assertThat(broken.why()).contains(why));
    }

    @Test
    void aChainThatContainsTheRecordedHeadContinues() {
        assertThat(judge(RECORDED, new Ancestor.CannotTell(), false)).isEqualTo(new Continuity.Continues());
        assertThat(judge(new BlockRef(9, hash(9)), new Ancestor.Has(hash(7)), false))
                .isEqualTo(new Continuity.Continues());
    }

    @Test
    void aShorterChainAndAnotherChainDoNot() {
        assertBroken(judge(new BlockRef(6, hash(6)), new Ancestor.Lacks(), true), "behind the ledger's");
        assertBroken(judge(new BlockRef(7, hash(8)), new Ancestor.Has(hash(8)), true), "another block");
        assertBroken(judge(new BlockRef(9, hash(9)), new Ancestor.Has(hash(8)), true), "another than the ledger's");
    }

    @Test
    void aSequencerThatCannotTellIsBelievedOnlyIfToldSo() {
        BlockRef ahead = new BlockRef(9, hash(9));
        assertBroken(judge(ahead, new Ancestor.CannotTell(), false), "remote.unverified-ancestry");
        assertThat(judge(ahead, new Ancestor.CannotTell(), true)).isEqualTo(new Continuity.Continues());
    }

    @Test
    void aHeadSettlesOnceOthersHadTimeAndItsAgeIsCountedFromWhenItWasSeen() {
        HeadTrail trail = new HeadTrail();
        Duration after = Duration.ofNanos(10);
        trail.note(RECORDED, 0);
        assertThat(trail.settled(after, 9)).isEmpty();
        trail.note(new BlockRef(8, hash(8)), 5);
        assertThat(trail.settled(after, 10)).contains(RECORDED);
        assertThat(trail.settled(after, 15)).contains(new BlockRef(8, hash(8)));
        trail.note(new BlockRef(8, hash(8)), 20);
        assertThat(trail.age(25)).isEqualTo(Duration.ofNanos(20));
    }
}
