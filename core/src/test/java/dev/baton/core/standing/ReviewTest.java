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
        assertThat(new Transcript(Fencing.AT_LEDGER).after(ELECTED).play("""
                                 500 timeout 1
                                1000 due
                                1010 caught-up 1
                                1020 caught-up 2
                                """).text())
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

    /** The ticket was good until the lease ended, so the abort could never be committed and the seat was lost. */
    @Test
    void ticketLeavesTimeForItsAbort() {
        assertThat(new Transcript(Fencing.AT_LEDGER).after(LEADING).play("""
                                 100 handoff n2 60000
                                3458 due
                                3460 drafted 2 b
                                3470 committed 2
                                """).text())
                .isEqualTo("""
                          100 handoff n2 60000 -> quiescing (rest, f=0 s=1)
                                ticket for n2: term 5:n1, head 1, valid for 3358
                                pulse at 3458
                         3458 due -> quiescing (draft, f=0 s=1)
                                timeout #2 at 3958
                                draft #2
                         3460 drafted 2 b -> quiescing (append 2, f=0 s=1)
                                append #2 5:n1 2:b [HandoffAborted]
                         3470 committed 2 -> leader (release 2, f=0 s=1)
                                watchdog 5:n1 at 7428
                                release #2 2:b [HandoffAborted]
                        """);
    }

    /** It was issued with a negative validity. */
    @Test
    void noTicketIsIssuedWhenTheLeaseIsNearlyOver() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after(LEADING)
                        .play("3500 handoff n2 1000")
                        .text())
                .isEqualTo("""
                         3500 handoff n2 1000
                                refuse: too little of the lease is left; ask again after the next pulse
                                pulse at 3500
                        """);
    }

    /** A pulse that was already due when the ticket was issued aborted the handoff at once. */
    @Test
    void pulseThatWasDueBeforeTheTicketDoesNotAbortTheHandoff() {
        assertThat(new Transcript(Fencing.AT_LEDGER).after(LEADING).play("""
                                1000 handoff n2 1000
                                1000 due
                                2000 due
                                """).text())
                .isEqualTo("""
                         1000 handoff n2 1000 -> quiescing (rest, f=0 s=1)
                                ticket for n2: term 5:n1, head 1, valid for 1000
                                pulse at 2000
                         1000 due
                         2000 due -> quiescing (draft, f=0 s=1)
                                timeout #2 at 2500
                                draft #2
                        """);
    }

    /** Which of the two came first, the watchdog or the abort's pulse, decided between follower and fenced. */
    @Test
    void quiescingHolderWhoseLeaseEndsFollowsWhoeverNotices() {
        for (String end : new String[] {"5000 due", "5000 deadline 5", "5000 abort"}) {
            assertThat(new Transcript(Fencing.AT_LEDGER)
                            .after(LEADING + "1000 handoff n2 1000")
                            .play(end)
                            .text())
                    .as(end)
                    .startsWith(" " + end + " -> follower\n        STOP DUTY 5:n1: ")
                    .contains("resign 5:n1: ");
        }
    }

    /** The wish was forgotten when the entry had to be offered again, and what waited went out an interval late. */
    @Test
    void wantedPulseIsNotForgottenWhenTheEntryIsOfferedAgain() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after(LEADING + """
                                1000 due
                                1010 drafted 2 b
                                1020 wanted
                                1030 failed 2
                                2000 due
                                2010 committed 3
                                """)
                        .play("2020 released 3")
                        .text())
                .isEqualTo("""
                         2020 released 3 -> leader (rest, f=0 s=1)
                                pulse at 2020
                        """);
    }

    /** It was dropped. */
    @Test
    void pulseWantedBetweenTwoAttemptsIsRemembered() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after(LEADING + """
                                1000 due
                                1010 drafted 2 b
                                1020 failed 2
                                1500 wanted
                                2000 due
                                2010 committed 3
                                """)
                        .play("2020 released 3")
                        .text())
                .endsWith("pulse at 2020\n");
    }

    /** An answer to a question from before the last commit moved the deadline back. */
    @Test
    void lateElectionAnswerDoesNotShortenTheLease() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after(LEADING + """
                                1000 due
                                1010 drafted 2 b
                                1020 committed 2
                                """)
                        .play("1100 elected 5 none 0 50")
                        .text())
                .isEqualTo("""
                         1100 elected 5 none 0 50
                                watchdog 5:n1 at 4978
                        """);
    }

    /** Nobody was told. */
    @Test
    void invariantBrokenWhilePausedRaisesTheAlarmToo() {
        assertThat(Transcript.of(Fencing.AT_LEDGER, """
                        0 pause
                        1 broken
                        """)).isEqualTo("""
                            0 pause -> paused
                            1 broken
                                ALARM: two entries at one height
                        """);
    }

    /** A ticket that the engine had refused still counted as proof when the seat lapsed later. */
    @Test
    void refusedTicketIsNoProofThatTheHolderStopped() {
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after("""
                                   0 ready
                                5000 taken 4:n2
                                6000 vacated lapsed
                                6000 refused
                                6000 ticket n1
                                6000 refused
                                6500 due
                                """)
                        .play("6600 elected 5 lapsed")
                        .text())
                .startsWith(" 6600 elected 5 lapsed -> opening (wait until 9000, f=0 s=0)\n");
    }

    /** The pulse that it had seen before its own term counted, so it did not wait for its successor's process. */
    @Test
    void formerHolderWaitsForWhoeverReplacedIt() {
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after("""
                                    0 ready
                                 4000 vacated none
                                 4000 elected 5 none
                                20000 taken 6:n2
                                20500 probed well
                                21000 probed well
                                21100 vacated lapsed
                                """)
                        .play("21200 elected 7 lapsed")
                        .text())
                .startsWith("21200 elected 7 lapsed -> opening (wait until 24000, f=0 s=0)\n");
    }

    /** Two switchovers in a row: the second waited for the holder before the last, which had stopped for the first. */
    @Test
    void whoeverHandedOverOrResignedVouchesForThoseBefore() {
        String twice = """
                    0 ready
                10000 taken 4:n2
                12000 advanced 7
                12100 taken 5:n3
                12200 advanced 8
                """;
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after(twice + "12300 ticket n1")
                        .play("12400 elected 6 handed-off 8")
                        .text())
                .startsWith("12400 elected 6 handed-off 8 -> opening (catch up, f=0 s=0)\n");
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after(twice + "12300 vacated resigned")
                        .play("12400 elected 6 resigned 8")
                        .text())
                .startsWith("12400 elected 6 resigned 8 -> opening (catch up, f=0 s=0)\n");
    }

    /** The claim was a ticket, but the engine had granted an earlier claim, to a seat that lapsed after the ticket. */
    @Test
    void ticketThatTheGrantDoesNotRestOnIsNoProof() {
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after("""
                                    0 ready
                                10000 taken 4:n2
                                12000 advanced 7
                                12300 ticket n1
                                """)
                        .play("12400 elected 6 lapsed 7")
                        .text())
                .startsWith("12400 elected 6 lapsed 7 -> opening (wait until 16000, f=0 s=0)\n");
    }

    /** Entries that it had missed did not count as a sign of life. */
    @Test
    void headThatWasNeverSeenIsASignOfLife() {
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after("""
                                    0 ready
                                 1000 advanced 7
                                20000 vacated lapsed
                                """)
                        .play("20000 elected 5 lapsed 9")
                        .text())
                .startsWith("20000 elected 5 lapsed 9 -> opening (wait until 24000, f=0 s=0)\n");
    }

    /** Each look at a dead holder that still had its lease began the wait anew, and so did the own election. */
    @Test
    void namingTheSameHolderAgainOrThisNodeIsNoSignOfLife() {
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after("""
                                    0 ready
                                10000 taken 4:n2
                                10000 advanced 7
                                12000 taken 4:n2
                                12000 advanced 7
                                13900 vacated lapsed
                                13950 taken 5:n1
                                """)
                        .play("14000 elected 5 lapsed 7")
                        .text())
                .startsWith("14000 elected 5 lapsed 7 -> opening (catch up, f=0 s=0)\n");
    }

    /** The old process went on acting while the target, trusting the ticket, did not wait for it. */
    @Test
    void processIsStoppedBeforeItsSeatIsHandedOver() {
        assertThat(new Transcript(Fencing.AT_PROCESS).after("""
                                   0 ready
                                4000 vacated none
                                4000 elected 5 none
                                4000 caught-up 1
                                4000 assumed 1
                                4000 drafted 1 a
                                4000 committed 1
                                4000 released 1
                                """).play("""
                                4100 handoff n2 1000
                                5100 due
                                """).text())
                .isEqualTo("""
                         4100 handoff n2 1000 -> quiescing (rest, f=0 s=1)
                                STOP DUTY 5:n1: handing over to n2
                                ticket for n2: term 5:n1, head 1, valid for 1000
                                pulse at 5100
                         5100 due -> follower
                                STOP DUTY 5:n1: the ticket was not used, and the duty is stopped already
                                watchdog off
                                pulse at 6100
                                resign 5:n1: the ticket was not used, and the duty is stopped already
                        """);
    }

    /** INV-2: the term was opened again, though it had been given back and another node might hold the seat. */
    @Test
    void lateAnswerDoesNotBringBackATermThatWasGivenBack() {
        String before = """
                 0 ready
                 0 vacated lapsed
                10 elected 5 lapsed
                20 pause
                30 resume
                40 vacated resigned
                """;
        String late = """
                 50 elected 5 lapsed 0 15
                550 due
                """;
        assertThat(new Transcript(Fencing.AT_LEDGER).after(before).play(late).text())
                .isEqualTo("""
                           50 elected 5 lapsed 0 15 -> follower
                                resign 5:n1: the term is over
                                pulse at 550
                          550 due -> asking
                                promote by vacancy
                        """);
        // INV-8: that term has waited for nobody, so it may not resign; and to ask again would renew its lease.
        assertThat(new Transcript(Fencing.AT_PROCESS).after(before).play(late).text())
                .isEqualTo("""
                           50 elected 5 lapsed 0 15 -> follower
                                pulse at 550
                          550 due
                                look
                                pulse at 1050
                        """);
    }

    /** The simulator's first find: a term was opened whose lease had run out on the way. */
    @Test
    void grantThatArrivesAfterItsOwnLeaseIsGivenBack() {
        assertThat(new Transcript(Fencing.AT_LEDGER)
                        .after("""
                                0 ready
                                0 vacated none
                                """)
                        .play("9000 elected 5 none 0 0")
                        .text())
                .contains("-> follower")
                .contains("resign 5:n1");
    }
}
