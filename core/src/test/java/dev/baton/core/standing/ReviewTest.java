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

    /** Whoever asked waited for ever. */
    @Test
    void handoffThatStillWaitsIsAnsweredWhenTheTermEnds() {
        for (String end : new String[] {"1100 fenced-off 5 6", "1100 deadline 5", "1100 pause", "1100 broken"}) {
            assertThat(new Transcript(Fencing.AT_LEDGER)
                            .after(LEADING + """
                                    1000 due
                                    1000 handoff n2 1000
                                    """)
                            .play(end)
                            .text())
                    .as(end)
                    .contains("refuse: the term ended before the ticket was issued: ");
        }
    }

    /** The second wish silently replaced the first. */
    @Test
    void secondHandoffIsRefusedWhileTheFirstWaits() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after(LEADING + """
                                1000 due
                                1000 handoff n2 1000
                                """)
                        .play("""
                                1010 handoff n3 1000
                                1020 drafted 2 b
                                1030 committed 2
                                1040 released 2
                                """)
                        .text())
                .contains("refuse: another handoff is under way")
                .contains("ticket for n2:");
    }

    /** The abort was refused, and the handoff took place. */
    @Test
    void abortBeforeTheTicketIsIssuedForgetsTheHandoff() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after(LEADING + """
                                1000 due
                                1000 handoff n2 1000
                                """)
                        .play("""
                                1010 abort
                                1020 drafted 2 b
                                1030 committed 2
                                1040 released 2
                                """)
                        .text())
                .contains("refuse: aborted before the ticket was issued")
                .doesNotContain("ticket for n2:");
    }
}
