package dev.baton.core.standing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Faults that a review of the machine found: each of these transcripts once read differently. */
class ReviewTest {

    static final String ELECTED = """
            0 ready
            0 vacated none
            0 elected 5 none
            """;

    static final String LEADING = ELECTED + """
            0 caught-up 1
            0 assumed 1
            0 drafted 1 a
            0 committed 1
            0 released 1
            """;

    /** The late result moved the stage on, the attempt under way then waited for an answer that was not its own. */
    @Test
    void lateResultDoesNotTakeTheAnswerAwayFromTheAttemptUnderWay() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after(ELECTED)
                        .play("""
                                 500 timeout 1
                                1000 due
                                1010 caught-up 1
                                1020 caught-up 2
                                """)
                        .text())
                .isEqualTo("""
                          500 timeout 1 -> opening (catch up, f=1 s=0)
                                pulse at 1000
                         1000 due
                                timeout #2 at 1500
                                catch up #2 to 0
                         1010 caught-up 1
                         1020 caught-up 2 -> opening (assume, f=1 s=0)
                                assume #2 5:n1 at 0
                        """);
    }
}
