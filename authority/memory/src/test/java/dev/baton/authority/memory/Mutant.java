package dev.baton.authority.memory;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Resignation;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.Trim;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.core.LedgerRule;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Engines with one defect each, and the tests of the kit that must notice it. */
enum Mutant {
    ACCEPTS_STALE_TERMS("staleTermIsFencedOnAppend", "lateCopiesOfAnOldTermsRequestsChangeNothing") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                boolean holds(Term term) {
                    return true;
                }
            };
        }
    },
    COMPARES_EPOCHS_ONLY("anotherIncarnationOfTheHoldersNameCommitsNothing") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                private Epoch latest = Epoch.NONE;

                @Override
                Epoch epochAfter(Epoch highest) {
                    latest = super.epochAfter(highest);
                    return latest;
                }

                @Override
                boolean holds(Term term) {
                    return super.holds(term) || term.epoch().equals(latest);
                }
            };
        }
    },
    GRANTS_THE_SAME_EPOCH_AGAIN("epochsStrictlyGrowOverManyTerms", "epochsGrowAcrossARestartOfTheEngine") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                Epoch epochAfter(Epoch highest) {
                    return new Epoch(1);
                }
            };
        }
    },
    RESUMES_A_TERM_BY_NAME("restartedHolderNeverResumesItsTerm", "aRestartedHolderGoesOnFromTheLedger") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                boolean isHeldBy(Seating current, Candidate candidate) {
                    return current.term().node().equals(candidate.holder().node());
                }
            };
        }
    },
    GIVES_THE_SEAT_TO_EVERYBODY(
            "oneOfEightRacingContendersIsElectedAndAllAgree", "aHeldSeatIsNotGivenAwayOnAClaimOfVacancy") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                void lapseIfDue(long nowNanos) {
                    super.lapseIfDue(nowNanos + lease.toNanos());
                }
            };
        }
    },
    NEVER_LAPSES("silenceFreesTheSeatAfterTheLeaseAndNotBefore", "aLapseIsToldWithoutAnybodyAsking") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                void lapseIfDue(long nowNanos) {}
            };
        }
    },
    LAPSES_EARLY("silenceFreesTheSeatAfterTheLeaseAndNotBefore") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease.dividedBy(2), changes);
        }
    },
    APPENDS_RENEW_NOTHING("appendsKeepTheSeatBeyondTheLease") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                private long grantedNanos;

                @Override
                Epoch epochAfter(Epoch highest) {
                    grantedNanos = System.nanoTime();
                    return super.epochAfter(highest);
                }

                @Override
                void lapseIfDue(long nowNanos) {
                    boolean granted = nowNanos - grantedNanos >= lease.toNanos();
                    super.lapseIfDue(granted ? nowNanos + lease.toNanos() : nowNanos);
                }
            };
        }
    },
    ACKNOWLEDGES_AND_FORGETS("aCommittedEntryIsTheNewHead", "tenThousandAppendsAreReadBackInOrder") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                void store(Entry entry) {}
            };
        }
    },
    STORES_TWICE("aRepeatedAppendIsCommittedOnce", "anIndeterminateAppendIsResolvedByRepeatingIt") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                LedgerRule relate(Entry entry) {
                    LedgerRule rule = super.relate(entry);
                    return rule == LedgerRule.SAME_AS_HEAD ? LedgerRule.NEXT : rule;
                }
            };
        }
    },
    IGNORES_THE_PARENT("anEntryWithAnotherParentIsAConflict", "aFirstEntryWithAParentIsAConflict") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                LedgerRule relate(Entry entry) {
                    LedgerRule rule = super.relate(entry);
                    return rule == LedgerRule.OTHER_PARENT ? LedgerRule.NEXT : rule;
                }
            };
        }
    },
    ALLOWS_GAPS("anEntryThatLeavesAGapIsAConflict") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                LedgerRule relate(Entry entry) {
                    LedgerRule rule = super.relate(entry);
                    return rule == LedgerRule.GAP ? LedgerRule.NEXT : rule;
                }
            };
        }
    },
    OVERWRITES_THE_HEAD("anotherEntryAtTheHeadsHeightIsRefused", "anotherEntryAfterAnIndeterminateAppendIsRefused") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                LedgerRule relate(Entry entry) {
                    LedgerRule rule = super.relate(entry);
                    return rule == LedgerRule.BELOW ? LedgerRule.SAME_AS_HEAD : rule;
                }
            };
        }
    },
    TAKES_EVERY_TICKET(
            "aTicketOfAnEarlierHeadIsRefused",
            "aTicketOfAnotherEpochIsRefused",
            "aTicketOfAnotherSeatIsRefused",
            "aTicketMadeOutToAnotherNodeIsRefused") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                boolean fits(Ticket ticket, Candidate candidate) {
                    return true;
                }
            };
        }
    },
    RESIGNS_WITHOUT_FREEING("resigningFreesTheSeatAtOnce") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                Resignation resign(Term term, long nowNanos) {
                    return new Resignation.Done();
                }
            };
        }
    },
    TELLS_COMMITTED_TO_THE_DEAD("staleTermIsNotToldCommittedEvenForAnEntryItDidCommit") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                Appended append(Term term, Entry entry, long sentNanos, long nowNanos) {
                    return relate(entry) == LedgerRule.SAME_AS_HEAD
                            ? new Appended.Committed(entry, sentNanos)
                            : super.append(term, entry, sentNanos, nowNanos);
                }
            };
        }
    },
    REPORTS_A_LATE_SEND("theReportedSendLiesWithinTheCall") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                Appended append(Term term, Entry entry, long sentNanos, long nowNanos) {
                    return super.append(term, entry, sentNanos + lease.toNanos(), nowNanos);
                }
            };
        }
    },
    TRIMS_THE_HEAD("trimmingBeyondTheHeadKeepsTheHead") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                private Height trimmedBelow = Height.ZERO;

                @Override
                Trim trim(Term term, Height below, long nowNanos) {
                    trimmedBelow = below;
                    return super.trim(term, below, nowNanos);
                }

                @Override
                Page read(Height from, PageLimit limit) {
                    return from.isBelow(trimmedBelow) ? new Page.Trimmed(trimmedBelow) : super.read(from, limit);
                }
            };
        }
    },
    PAGES_WITHOUT_LIMIT("aPageHoldsNoMoreEntriesThanAsked", "aPageHoldsNoMorePayloadThanAsked") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, changes) {
                @Override
                Page read(Height from, PageLimit limit) {
                    return super.read(from, PageLimit.DEFAULT);
                }
            };
        }
    },
    SKIPS_EVENTS("everyHeadIsToldInOrder") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, event -> {
                boolean skipped = event instanceof SeatEvent.Advanced advanced
                        && advanced.head().height().value() % 10 == 5;
                if (!skipped) {
                    changes.accept(event);
                }
            });
        }
    },
    TELLS_NOBODY_OF_ENDINGS("everyObserverHearsOfATermsBeginningAndEnd", "aLapseIsToldWithoutAnybodyAsking") {
        @Override
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes) {
            return new SeatRecord(id, lease, event -> {
                if (!(event instanceof SeatEvent.Vacated)) {
                    changes.accept(event);
                }
            });
        }
    };

    private final String catchers;

    Mutant(String... catchers) {
        this.catchers = String.join(" ", catchers);
    }

    abstract SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes);

    /** The tests that fail on this engine. */
    List<String> catchers() {
        return List.of(catchers.split(" ", -1));
    }
}
