package dev.baton.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimsTest {

    private final Upstream n1 = Upstream.http("n1", TestProxy.at(1));
    private final Upstream n2 = Upstream.http("n2", TestProxy.at(2));
    private final Claims claims = new Claims(List.of(n1, n2));

    private static Claims.Claim serves(long era, long epoch) {
        return new Claims.Claim(era, epoch, true, true);
    }

    private static Claims.Claim follows() {
        return new Claims.Claim(1, 0, false, true);
    }

    @Test
    void theHigherEpochIsRight() {
        assertThat(claims.heard(n2, serves(1, 6))).isTrue();
        assertThat(claims.heard(n1, serves(1, 5))).isFalse();
        assertThat(claims.view().holder()).contains(n2);
    }

    @Test
    void aFrozenHolderDoesNotComeBackWhenItsSuccessorDies() {
        claims.heard(n1, serves(1, 5));
        claims.heard(n2, serves(1, 6));
        assertThat(claims.lost(n2)).isTrue();
        assertThat(claims.view().holder()).isEmpty();
        claims.heard(n1, serves(1, 7));
        assertThat(claims.view().holder()).contains(n1);
    }

    @Test
    void aNewEraBeginsWithLowEpochs() {
        claims.heard(n1, serves(1, 500));
        claims.heard(n2, serves(2, 1));
        assertThat(claims.view().holder()).contains(n2);
    }

    @Test
    void onlyFollowersThatAreReadyAreThereForReads() {
        claims.heard(n1, serves(1, 1));
        assertThat(claims.heard(n2, follows())).isFalse();
        assertThat(claims.view().ready()).containsExactly(n2);
        claims.lost(n2);
        assertThat(claims.view().ready()).isEmpty();
    }
}
