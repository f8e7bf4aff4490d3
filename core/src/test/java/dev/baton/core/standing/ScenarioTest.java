package dev.baton.core.standing;

import static dev.baton.core.standing.ReviewTest.ELECTED;
import static dev.baton.core.standing.ReviewTest.LEADING;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScenarioTest {

    private static String ledger(String before, String script) {
        return new Transcript(Fencing.AT_LEDGER).after(before).play(script).text();
    }

    @Test
    void followerBecomesLeaderAndPulses() {
        assertThat(Transcript.of(Fencing.AT_LEDGER, """
                           0 due
                          10 ready
                          20 vacated lapsed
                          30 elected 5 lapsed 3 25
                          40 caught-up 1
                          50 assumed 1
                          60 drafted 1 a
                          70 committed 1 65
                          80 released 1
                        1030 due
                        1040 drafted 2 b
                        1050 committed 2 1045
                        1060 released 2
                        """)).isEqualTo("""
                            0 due
                                look
                                pulse at 500
                           10 ready
                           20 vacated lapsed -> asking
                                promote by vacancy
                           30 elected 5 lapsed 3 25 -> opening (catch up, f=0 s=0)
                                watchdog 5:n1 at 3983
                                timeout #1 at 530
                                catch up #1 to 3
                           40 caught-up 1 -> opening (assume, f=0 s=0)
                                assume #1 5:n1 at 3
                           50 assumed 1 -> opening (draft, f=0 s=0)
                                draft #1
                           60 drafted 1 a -> opening (append 4, f=0 s=0)
                                append #1 5:n1 4:a [Opened]
                           70 committed 1 65 -> leader (release 4, f=0 s=0)
                                watchdog 5:n1 at 4023
                                release #1 4:a [Opened]
                           80 released 1 -> leader (rest, f=0 s=1)
                                pulse at 1030
                         1030 due -> leader (draft, f=0 s=1)
                                timeout #2 at 1530
                                draft #2
                         1040 drafted 2 b -> leader (append 5, f=0 s=1)
                                append #2 5:n1 5:b
                         1050 committed 2 1045 -> leader (release 5, f=0 s=1)
                                watchdog 5:n1 at 5003
                                release #2 5:b
                         1060 released 2 -> leader (rest, f=0 s=2)
                                pulse at 2030
                        """);
    }

    @Test
    void twoFailedPulsesFenceAndTheDutyStopsBeforeTheSeatIsGivenBack() {
        assertThat(ledger(LEADING, """
                        1000 due
                        1500 timeout 2
                        2000 due
                        2500 timeout 3
                        """)).isEqualTo("""
                         1000 due -> leader (draft, f=0 s=1)
                                timeout #2 at 1500
                                draft #2
                         1500 timeout 2 -> leader (draft, f=1 s=0)
                                pulse at 2000
                         2000 due
                                timeout #3 at 2500
                                draft #3
                         2500 timeout 3 -> fenced (f=0 s=0)
                                STOP DUTY 5:n1: 2 failed pulses in a row, the last: no result within PT0.5S
                                resign 5:n1: 2 failed pulses in a row, the last: no result within PT0.5S
                                watchdog off
                                pulse at 3500
                        """);
    }

    @Test
    void fencedNodeEarnsItsWayBackWithTwoSuccessesInARow() {
        assertThat(ledger(LEADING + "100 deadline 5", """
                        1100 due
                        1110 probed well
                        2100 due
                        2110 probed ill
                        2200 vacated resigned
                        3110 probed well
                        4110 probed well
                        4610 due
                        """)).isEqualTo("""
                         1100 due
                                probe
                                pulse at 2100
                         1110 probed well -> fenced (f=0 s=1)
                         2100 due
                                probe
                                pulse at 3100
                         2110 probed ill -> fenced (f=1 s=0)
                         2200 vacated resigned
                         3110 probed well -> fenced (f=0 s=1)
                         4110 probed well -> follower
                                look
                                pulse at 4610
                         4610 due -> asking
                                promote by vacancy
                        """);
    }

    /** INV-5: "we do not know" is answered by the very same entry, whatever the duty would like to say by now. */
    @Test
    void indeterminateAppendIsRepeatedWithTheVerySameEntry() {
        assertThat(ledger(LEADING, """
                        1000 due
                        1010 drafted 2 b
                        1020 failed 2
                        2000 due
                        2005 drafted 3 other
                        2010 committed 3
                        """)).isEqualTo("""
                         1000 due -> leader (draft, f=0 s=1)
                                timeout #2 at 1500
                                draft #2
                         1010 drafted 2 b -> leader (append 2, f=0 s=1)
                                append #2 5:n1 2:b
                         1020 failed 2 -> leader (append 2, f=1 s=0)
                                pulse at 2000
                         2000 due
                                timeout #3 at 2500
                                append #3 5:n1 2:b
                         2005 drafted 3 other
                         2010 committed 3 -> leader (release 2, f=1 s=0)
                                watchdog 5:n1 at 5968
                                release #3 2:b
                        """);
    }

    /** It does not renew the lease either: no watchdog is armed. */
    @Test
    void lateAcknowledgementMovesTheStageButDoesNotCount() {
        assertThat(ledger(LEADING, """
                        1000 due
                        1010 drafted 2 b
                        1500 timeout 2
                        1600 committed 2 1010
                        2000 due
                        2010 released 3
                        """)).isEqualTo("""
                         1000 due -> leader (draft, f=0 s=1)
                                timeout #2 at 1500
                                draft #2
                         1010 drafted 2 b -> leader (append 2, f=0 s=1)
                                append #2 5:n1 2:b
                         1500 timeout 2 -> leader (append 2, f=1 s=0)
                                pulse at 2000
                         1600 committed 2 1010 -> leader (release 2, f=1 s=0)
                         2000 due
                                timeout #3 at 2500
                                release #3 2:b
                         2010 released 3 -> leader (rest, f=0 s=1)
                                pulse at 3000
                        """);
    }

    @Test
    void acknowledgementThatComesAfterItsOwnLeaseFences() {
        assertThat(ledger(LEADING, """
                        1000 due
                        1010 drafted 2 b
                        1400 committed 2 -2600
                        """))
                .contains("committed 2 -2600 -> fenced (f=0 s=0)\n        STOP DUTY 5:n1: the acknowledgement came");
    }

    @Test
    void electedButNoLongerReadyGivesTheSeatBack() {
        assertThat(ledger("""
                        0 ready
                        0 vacated lapsed
                        """, """
                        5 unready
                        9 elected 5 lapsed
                        """)).isEqualTo("""
                            5 unready
                            9 elected 5 lapsed -> follower
                                look
                                pulse at 509
                                resign 5:n1: not ready, or told too late
                        """);
    }

    @Test
    void vacancyDoesNotTemptANodeThatIsNotReadyUntilItIs() {
        assertThat(Transcript.of(Fencing.AT_LEDGER, """
                        0 vacated lapsed
                        5 due
                        9 ready
                        """)).isEqualTo("""
                            0 vacated lapsed
                            5 due
                                look
                                pulse at 505
                            9 ready -> asking
                                promote by vacancy
                        """);
    }

    @Test
    void whoeverIsNotElectedLooksAgainLater() {
        String asking = """
                0 ready
                0 vacated lapsed
                """;
        assertThat(ledger(asking, "10 held\n 510 due")).isEqualTo("""
                           10 held -> follower
                                pulse at 510
                          510 due
                                look
                                pulse at 1010
                        """);
        assertThat(ledger(asking, "10 refused\n 510 due")).isEqualTo("""
                           10 refused -> follower
                                pulse at 510
                          510 due -> asking
                                promote by vacancy
                        """);
    }

    /** INV-8: the predecessor's process may act until then; meanwhile the lease is asked for anew. */
    @Test
    void successorWaitsUntilThePredecessorsProcessMustHaveStopped() {
        assertThat(new Transcript(Fencing.AT_PROCESS).after("""
                                    0 ready
                                10000 taken 4:n2
                                12000 advanced 7
                                14000 vacated lapsed
                                """).play("""
                                14100 elected 5 lapsed 7
                                14150 elected 5 lapsed 7 14110
                                14600 timeout 0
                                15100 due
                                15150 elected 5 lapsed 7 15110
                                16000 due
                                """).text())
                .isEqualTo("""
                        14100 elected 5 lapsed 7 -> opening (wait until 16000, f=0 s=0)
                                watchdog 5:n1 at 18058
                                promote by vacancy
                                pulse at 15100
                        14150 elected 5 lapsed 7 14110
                                watchdog 5:n1 at 18068
                        14600 timeout 0
                        15100 due
                                promote by vacancy
                                pulse at 16000
                        15150 elected 5 lapsed 7 15110
                                watchdog 5:n1 at 19068
                        16000 due -> opening (catch up, f=0 s=0)
                                timeout #1 at 16500
                                catch up #1 to 7
                        """);
    }

    /**
     * INV-8: a successor that never heard of this term would take its resignation for its predecessor's, and not wait for
     * that one any more.
     */
    @Test
    void whoStillWaitsForItsPredecessorLetsTheSeatLapse() {
        String waiting = """
                    0 ready
                10000 taken 4:n2
                12000 advanced 7
                14000 vacated lapsed
                14100 elected 5 lapsed 7
                """;
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after(waiting)
                        .play("14200 pause")
                        .text())
                .doesNotContain("resign");
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after(waiting)
                        .play("18200 deadline 5")
                        .text())
                .doesNotContain("resign");
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after("""
                                    0 ready
                                10000 taken 4:n2
                                14000 vacated lapsed
                                14010 pause
                                """)
                        .play("14100 elected 5 lapsed 7")
                        .text())
                .doesNotContain("resign");
    }

    @Test
    void nobodyWaitsForAProcessThatResignedOrHandedOver() {
        String before = """
                    0 ready
                10000 taken 4:n2
                12000 advanced 7
                """;
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after(before + "12100 vacated resigned")
                        .play("12200 elected 5 resigned 7")
                        .text())
                .startsWith("12200 elected 5 resigned 7 -> opening (catch up, f=0 s=0)\n");
        assertThat(new Transcript(Fencing.AT_PROCESS)
                        .after(before + "12100 ticket n1")
                        .play("12200 elected 5 handed-off 7")
                        .text())
                .startsWith("12200 elected 5 handed-off 7 -> opening (catch up, f=0 s=0)\n");
    }

    @Test
    void nobodyWaitsWhereTheLedgerOrTheResourceFences() {
        for (Fencing fencing : new Fencing[] {Fencing.AT_LEDGER, Fencing.AT_RESOURCE}) {
            assertThat(new Transcript(fencing)
                            .after("""
                                    0 ready
                                    0 taken 4:n2
                                    1 vacated lapsed
                                    """)
                            .play("2 elected 5 lapsed")
                            .text())
                    .contains("opening (catch up");
        }
    }

    @Test
    void evidenceIsActedUponOnlyWhereTheLedgerFences() {
        String before = """
                0 ready
                0 taken 4:n2
                """;
        assertThat(ledger(before, "5 evidence 4:n2")).isEqualTo("""
                            5 evidence 4:n2 -> asking
                                promote by evidence
                        """);
        for (Fencing fencing : new Fencing[] {Fencing.AT_RESOURCE, Fencing.AT_PROCESS}) {
            assertThat(new Transcript(fencing)
                            .after(before)
                            .play("5 evidence 4:n2")
                            .text())
                    .isEqualTo("    5 evidence 4:n2\n");
        }
        assertThat(ledger("0 taken 4:n2", "5 evidence 4:n2")).isEqualTo("    5 evidence 4:n2\n");
    }

    @Test
    void pauseStopsTheDutyAndResumeFollows() {
        assertThat(ledger(LEADING, """
                        100 pause
                        200 vacated resigned
                        300 due
                        400 elected 6 resigned
                        500 resume
                        """)).isEqualTo("""
                          100 pause -> paused
                                STOP DUTY 5:n1: maintenance
                                resign 5:n1: maintenance
                                watchdog off
                          200 vacated resigned
                          300 due
                          400 elected 6 resigned
                                resign 6:n1: elected while paused
                          500 resume -> follower
                                look
                                pulse at 1000
                        """);
    }

    @Test
    void brokenInvariantStopsTheDutyRaisesTheAlarmAndWaitsForPeople() {
        assertThat(ledger(LEADING, """
                         100 broken
                         200 vacated resigned
                         300 ready
                        1000 due
                        1100 probed well
                        1200 ticket n1
                        """)).isEqualTo("""
                          100 broken -> paused
                                STOP DUTY 5:n1: two entries at one height
                                resign 5:n1: two entries at one height
                                watchdog off
                                ALARM: two entries at one height
                          200 vacated resigned
                          300 ready
                         1000 due
                         1100 probed well
                         1200 ticket n1
                                refuse: this node cannot take the seat now; it is paused
                        """);
    }

    @Test
    void wantedPulseComesAtOnceOrRightAfterTheOneUnderWay() {
        assertThat(ledger(LEADING, """
                        100 wanted
                        100 due
                        110 wanted
                        120 drafted 2 b
                        130 committed 2
                        140 released 2
                        140 due
                        150 drafted 3 c
                        160 committed 3
                        170 released 3
                        """)).isEqualTo("""
                          100 wanted
                                pulse at 100
                          100 due -> leader (draft, f=0 s=1)
                                timeout #2 at 600
                                draft #2
                          110 wanted
                          120 drafted 2 b -> leader (append 2, f=0 s=1)
                                append #2 5:n1 2:b
                          130 committed 2 -> leader (release 2, f=0 s=1)
                                watchdog 5:n1 at 4088
                                release #2 2:b
                          140 released 2 -> leader (rest, f=0 s=2)
                                pulse at 140
                          140 due -> leader (draft, f=0 s=2)
                                timeout #3 at 640
                                draft #3
                          150 drafted 3 c -> leader (append 3, f=0 s=2)
                                append #3 5:n1 3:c
                          160 committed 3 -> leader (release 3, f=0 s=2)
                                watchdog 5:n1 at 4118
                                release #3 3:c
                          170 released 3 -> leader (rest, f=0 s=3)
                                pulse at 1140
                        """);
    }

    @Test
    void openingThatFailsTwiceGivesTheSeatBack() {
        assertThat(ledger(ELECTED, """
                         10 failed 1
                        1000 due
                        1010 failed 2
                        """))
                .contains("1010 failed 2 -> fenced (f=0 s=0)\n        STOP DUTY 5:n1: 2 failed pulses");
    }

    @Test
    void replacedLeaderMustEarnItsWayBack() {
        assertThat(ledger(LEADING, "100 taken 6:n2")).isEqualTo("""
                          100 taken 6:n2 -> fenced (f=0 s=0)
                                STOP DUTY 5:n1: replaced by term 6:n2
                                watchdog off
                                pulse at 1100
                        """);
        assertThat(ledger(LEADING, "100 taken 4:n2")).isEqualTo("  100 taken 4:n2\n");
        assertThat(ledger(LEADING, "100 fenced-off 4 6")).isEqualTo("  100 fenced-off 4 6\n");
        assertThat(ledger(LEADING, "100 deadline 4")).isEqualTo("  100 deadline 4\n");
    }

    /** Attempt 3 is under way: what arrives for attempt 2 neither fails it, nor drafts for it, nor renews the lease. */
    @Test
    void resultsOfAnEarlierAttemptDoNotPassForThoseOfTheOneUnderWay() {
        assertThat(ledger(LEADING, """
                        1000 due
                        1500 timeout 2
                        2000 due
                        2010 timeout 2
                        2020 failed 2
                        2030 drafted 2 late
                        2040 drafted 3 b
                        """)).endsWith("""
                         2010 timeout 2
                         2020 failed 2
                         2030 drafted 2 late
                         2040 drafted 3 b -> leader (append 2, f=1 s=0)
                                append #3 5:n1 2:b
                        """);
        assertThat(ledger(LEADING, """
                        1000 due
                        1010 drafted 2 b
                        1500 timeout 2
                        2000 due
                        2010 committed 2 1010
                        2020 committed 3 2000
                        """)).endsWith("""
                         2010 committed 2 1010 -> leader (release 2, f=1 s=0)
                         2020 committed 3 2000
                                watchdog 5:n1 at 5958
                                release #3 2:b
                        """);
    }
}
