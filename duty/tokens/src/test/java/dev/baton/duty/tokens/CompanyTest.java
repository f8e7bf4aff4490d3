package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompanyTest {

    private static final long COMMIT = 1_000_000;
    private static final long TELL = 200_000;

    private final Company company = new Company(Company.MOST_PATIENCE_NANOS);

    /** One entry, and the trial before the next if there is one; so many are there then. */
    private boolean isTried(int told, int waiting, int then) {
        company.committed(COMMIT, told, waiting);
        company.told(TELL);
        if (company.expected() == 0) {
            return false;
        }
        company.came(then);
        return true;
    }

    private int trials(int entries, int told, int waiting, int then) {
        int trials = 0;
        for (int i = 0; i < entries; i++) {
            trials += isTried(told, waiting, then) ? 1 : 0;
        }
        return trials;
    }

    @Test
    void twoGroupsBecomeOne() {
        company.committed(COMMIT, 32, 32);
        assertThat(company.expected()).isEqualTo(64);
    }

    @Test
    void thoseWhoComeBackAreWaitedForEachTime() {
        assertThat(isTried(32, 32, 64)).isTrue();
        assertThat(trials(1000, 64, 0, 64)).isEqualTo(1000);
    }

    @Test
    void soDoGroupsOfWhichSomeWereStillOnTheirWay() {
        trials(600, 256, 256, 300);
        trials(2000, 256, 256, 512); // as if the entries between let them fall apart again
        assertThat(isTried(256, 256, 512)).isTrue();
        assertThat(isTried(512, 256, 768)).isTrue();
        assertThat(isTried(768, 256, 1024)).isTrue();
        assertThat(trials(1000, 1024, 0, 1024)).isEqualTo(1000);
    }

    @Test
    void thoseWhoAreLateForOnceAreWaitedForTheNextTime() {
        trials(100, 64, 0, 64);
        assertThat(isTried(64, 0, 60)).isTrue();
        assertThat(isTried(60, 4, 64)).isTrue();
        assertThat(trials(1000, 64, 0, 64)).isEqualTo(1000);
    }

    @Test
    void fewAreNotWaitedFor() {
        assertThat(trials(1000, 7, 0, 7)).isZero();
    }

    @Test
    void thoseWhoDoNotComeBackAreHardlyEverWaitedFor() {
        int first = trials(600, 20, 20, 30);
        assertThat(first).isBetween(1, 8);
        assertThat(trials(2560, 20, 20, 30)).isBetween(1, 11);
    }

    /** Questions that come whether or not others are answered: if one waits for as many as there were, there are more. */
    @Test
    void moreAndMoreAreNotThoseWhoWereAnswered() {
        int trials = 0;
        int there = 20;
        for (int i = 0; i < 3000; i++) {
            if (isTried(there, 20, there + 20)) {
                trials++;
                there += 20;
            } else {
                there = 20;
            }
        }
        assertThat(trials).isLessThan(60);
    }

    @Test
    void callersWhoBeginToComeBackAreFoundOut() {
        trials(3000, 20, 20, 30);
        trials(2000, 64, 0, 64);
        assertThat(trials(100, 64, 0, 64)).isEqualTo(100);
    }

    @Test
    void patienceIsACommitAndTheWaysThereAndBackAsTheyAreOnAverage() {
        isTried(64, 0, 64);
        assertThat(company.patienceNanos()).isEqualTo(COMMIT + 4 * TELL);
        company.committed(9 * COMMIT, 64, 0);
        assertThat(company.patienceNanos()).isEqualTo(2 * COMMIT + 4 * TELL);
    }

    @Test
    void patienceEnds() {
        company.committed(1_000_000_000, 64, 0);
        assertThat(company.patienceNanos()).isEqualTo(Company.MOST_PATIENCE_NANOS);
    }
}
