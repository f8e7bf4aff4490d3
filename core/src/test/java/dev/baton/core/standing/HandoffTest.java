package dev.baton.core.standing;

import static dev.baton.core.standing.ReviewTest.ELECTED;
import static dev.baton.core.standing.ReviewTest.LEADING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Head;
import org.junit.jupiter.api.Test;

class HandoffTest {

    private static String ledger(String before, String script) {
        return new Transcript(Fencing.AT_LEDGER).after(before).play(script).text();
    }

    @Test
    void handoffFinishesTheEntryFirst() {
        assertThat(ledger(LEADING, """
                        1000 due
                        1010 handoff n2 800
                        1020 drafted 2 b
                        1030 committed 2
                        1040 released 2
                        1900 taken 6:n2
                        """)).isEqualTo("""
                         1000 due -> leader (draft, f=0 s=1)
                                timeout #2 at 1500
                                draft #2
                         1010 handoff n2 800
                         1020 drafted 2 b -> leader (append 2, f=0 s=1)
                                append #2 5:n1 2:b
                         1030 committed 2 -> leader (release 2, f=0 s=1)
                                watchdog 5:n1 at 4988
                                release #2 2:b
                         1040 released 2 -> quiescing (rest, f=0 s=2)
                                ticket for n2: term 5:n1, head 2, valid for 800
                                pulse at 1840
                         1900 taken 6:n2 -> follower
                                STOP DUTY 5:n1: replaced by term 6:n2
                                watchdog off
                                pulse at 2900
                        """);
    }

    @Test
    void ticketBindsTermAndHead() {
        Transcript transcript = new Transcript(Fencing.AT_LEDGER).play(LEADING + "100 handoff n2 1000");
        Tenancy tenancy = ((Standing.Quiescing) transcript.standing()).tenancy();

        assertThat(transcript.ticket().matches(Transcript.SEAT, tenancy.term(), tenancy.head()))
                .isTrue();
        assertThat(transcript.ticket().matches(Transcript.SEAT, tenancy.term(), Head.GENESIS))
                .isFalse();
    }

    /** INV-9: the clock begins the abort, but only its commit ends the promise to stay still. */
    @Test
    void unusedTicketIsFollowedByACommittedAbort() {
        assertThat(ledger(LEADING + "100 handoff n2 400", """
                         200 wanted
                         500 due
                         510 drafted 2 b
                         520 failed 2
                        1500 due
                        1510 committed 3
                        1520 released 3
                        """)).isEqualTo("""
                          200 wanted
                          500 due -> quiescing (draft, f=0 s=1)
                                timeout #2 at 1000
                                draft #2
                          510 drafted 2 b -> quiescing (append 2, f=0 s=1)
                                append #2 5:n1 2:b [HandoffAborted]
                          520 failed 2 -> quiescing (append 2, f=1 s=0)
                                pulse at 1500
                         1500 due
                                timeout #3 at 2000
                                append #3 5:n1 2:b [HandoffAborted]
                         1510 committed 3 -> leader (release 2, f=1 s=0)
                                watchdog 5:n1 at 5468
                                release #3 2:b [HandoffAborted]
                         1520 released 3 -> leader (rest, f=0 s=1)
                                pulse at 2500
                        """);
    }

    @Test
    void abortOnRequestIsCommittedToo() {
        assertThat(ledger(LEADING + "100 handoff n2 1000", """
                        200 abort
                        210 abort
                        220 drafted 2 b
                        """)).isEqualTo("""
                          200 abort -> quiescing (draft, f=0 s=1)
                                timeout #2 at 700
                                draft #2
                          210 abort
                          220 drafted 2 b -> quiescing (append 2, f=0 s=1)
                                append #2 5:n1 2:b [HandoffAborted]
                        """);
    }

    @Test
    void targetThatTakesTheSeatDuringTheAbortWins() {
        assertThat(ledger(LEADING + "100 handoff n2 400", """
                        500 due
                        510 drafted 2 b
                        520 fenced-off 5 6
                        """)).endsWith("""
                          520 fenced-off 5 6 -> follower
                                STOP DUTY 5:n1: fenced by epoch 6
                                watchdog off
                                pulse at 1520
                        """);
    }

    @Test
    void handoffThatMakesNoSenseIsRefused() {
        assertThat(ledger(LEADING, "100 handoff n1 1000")).contains("refuse: n1 holds the seat already");
        assertThat(ledger(LEADING + "100 handoff n2 1000", "200 handoff n3 1000"))
                .contains("refuse: this node cannot hand the seat over now; it is quiescing");
        assertThat(ledger(ELECTED, "100 handoff n2 1000"))
                .contains("refuse: this node cannot hand the seat over now; it is promoting");
        assertThat(ledger("0 ready", "100 handoff n2 1000"))
                .contains("refuse: this node cannot hand the seat over now; it is follower");
        assertThat(ledger(LEADING, "100 abort")).contains("refuse: no handoff waits for its target; it is leader");
    }

    @Test
    void ticketIsTakenUpOnlyByItsTargetAndOnlyIfReady() {
        assertThat(ledger("0 ready", "5 ticket n1")).isEqualTo("""
                            5 ticket n1 -> asking
                                promote by byticket
                        """);
        assertThat(ledger("0 ready", "5 ticket n3")).contains("refuse: ").doesNotContain("promote");
        assertThat(ledger("0 unready", "5 ticket n1")).contains("refuse: ").doesNotContain("promote");
        assertThat(ledger(LEADING, "5 ticket n1")).contains("refuse: ").doesNotContain("promote");
    }
}
