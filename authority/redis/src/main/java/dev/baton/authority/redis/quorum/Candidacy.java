package dev.baton.authority.redis.quorum;

import dev.baton.authority.Candidate;
import dev.baton.authority.Promotion;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.authority.redis.protocol.Tip;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * One process's way to the seat: look, propose one epoch to all, and if a quorum grants it, bring the last entry to a
 * quorum under that epoch.
 *
 * <p>INV-1: every attempt proposes a new epoch, above everything any node has told of. INV-3: what is recovered is
 * picked once per epoch, from the grants that elected; later ones are not looked at.
 */
final class Candidacy {

    /** A picture that young needs no second look: the event that led here has just painted it. */
    private static final Duration FRESH = Duration.ofMillis(100);

    /**
     * What a won election begins with.
     *
     * @param below the node set that governs the head's height
     * @param next the node set that governs the next height
     * @param standing who stands behind the epoch
     * @param upToDate who has the head
     */
    record Won(
            Seating seating,
            Head head,
            Optional<Entry> tip,
            MemberSet below,
            MemberSet next,
            Set<MemberId> standing,
            Set<MemberId> upToDate,
            Ending predecessorEnded,
            long sentNanos) {}

    private final QuorumSettings settings;
    private final QuorumRules rules;
    private final Roster roster;
    private final Observation observation;
    private final Surroundings surroundings;
    private final Claim claim;
    private final Candidate candidate;
    private final BiConsumer<Optional<Won>, Promotion> done;
    private int attempts;

    /**
     * A candidacy that has not begun.
     *
     * @param done told once: what was won, or why nothing was
     */
    Candidacy(
            QuorumSettings settings,
            QuorumRules rules,
            Roster roster,
            Observation observation,
            Surroundings surroundings,
            Claim claim,
            Candidate candidate,
            BiConsumer<Optional<Won>, Promotion> done) {
        this.settings = settings;
        this.rules = rules;
        this.roster = roster;
        this.observation = observation;
        this.surroundings = surroundings;
        this.claim = claim;
        this.candidate = candidate;
        this.done = done;
    }

    void begin() {
        attempts++;
        boolean knowsWhomToAsk = !roster.voters().isEmpty();
        Optional<Picture> fresh = observation.lastWithin(FRESH);
        if (knowsWhomToAsk && !(claim instanceof Claim.Vacancy)) {
            new Attempt().begin();
        } else if (knowsWhomToAsk && fresh.isPresent()) {
            judge(fresh);
        } else {
            observation.look(this::judge);
        }
    }

    /** Looks before it asks: a grant by a few would only unseat a healthy holder there. */
    private void judge(Optional<Picture> picture) {
        if (picture.isEmpty()) {
            fail(new Promotion.Unavailable(roster.troubles()));
            return;
        }
        Picture seen = picture.get();
        boolean held = claim instanceof Claim.Vacancy && seen.holder().isPresent();
        if (held && seen.certain()) {
            fail(new Promotion.Held(seen.holder().get(), seen.freeIn()));
        } else if (held) {
            tryAgain("other candidates are under way");
        } else {
            new Attempt().begin();
        }
    }

    private void tryAgain(String why) {
        if (attempts >= settings.attempts()) {
            fail(new Promotion.Unavailable(why));
        } else {
            surroundings.after(pause(), this::begin);
        }
    }

    private Duration pause() {
        long jitter = settings.retryJitter().toNanos();
        return settings.retry()
                .plusNanos(jitter == 0 ? 0 : surroundings.random().nextLong(jitter));
    }

    private void fail(Promotion why) {
        done.accept(Optional.empty(), why);
    }

    /** One epoch, proposed once. */
    private final class Attempt {

        private final Seating seating = new Seating(new Term(newEpoch(), candidate.holder()), candidate.address());
        private final Round round = new Round(surroundings, this::heard);
        private final Set<Member> asked = roster.voters();
        private boolean decided;
        private boolean lost;

        private Epoch newEpoch() {
            roster.heardOf(claimedTerm().map(Term::epoch).orElse(Epoch.NONE));
            return new Epoch(roster.highest().value() + 1);
        }

        void begin() {
            roster.heardOf(seating.term().epoch());
            Optional<Head> onlyAt =
                    claim instanceof Claim.ByTicket(Ticket ticket) ? Optional.of(ticket.head()) : Optional.empty();
            for (Member voter : asked) {
                Ask ask = new Ask.Promote(voter.id(), seating, settings.lease(), claimedTerm(), onlyAt);
                round.ask(roster.at(voter.address()), voter.id(), ask, Link.Lane.EXPRESS);
            }
        }

        private void heard(Round.Heard heard) {
            if (decided) {
                if (lost && heard.answer() instanceof Answer.Granted) {
                    withdraw(heard.node(), heard.member());
                }
                return;
            }
            if (rules.elects(round.grants())) {
                decided = true;
                recover();
            } else if (round.isOver() || isHopeless()) {
                decided = true;
                lost = true;
                withdrawAll();
                explain();
            }
        }

        private boolean isHopeless() {
            Set<MemberId> hopeful = new HashSet<>(round.pending());
            round.answers().forEach((member, answer) -> {
                if (answer instanceof Answer.Granted) {
                    hopeful.add(member);
                }
            });
            return rules.best(roster.lastSights())
                    .map(best -> !best.next().hasQuorumAmong(hopeful))
                    .orElse(true);
        }

        private void withdrawAll() {
            for (Member voter : asked) {
                Answer answer = round.answers().get(voter.id());
                if (answer == null || answer instanceof Answer.Granted || answer instanceof Answer.Lost) {
                    withdraw(roster.at(voter.address()), voter.id());
                }
            }
        }

        private void withdraw(Roster.Node node, MemberId member) {
            node.ask(new Ask.Resign(member, seating.term(), false), Link.Lane.EXPRESS, ignored -> {});
        }

        private void explain() {
            Optional<Answer.Held> holder = holderForMost();
            List<Answer.Elsewhere> elsewhere = round.all(Answer.Elsewhere.class);
            boolean contended = !round.all(Answer.Held.class).isEmpty()
                    || !round.all(Answer.Stale.class).isEmpty();
            if (holder.isPresent()) {
                fail(new Promotion.Held(
                        holder.get().by(), Optional.of(holder.get().left())));
            } else if (!elsewhere.isEmpty()) {
                fail(new Promotion.Refused("the ticket names " + claimedHead() + ", but the ledger is at "
                        + elsewhere
                                .getFirst()
                                .tip()
                                .map(tip -> tip.asHead().toString())
                                .orElse("its beginning")
                        + " or under another term"));
            } else if (contended) {
                tryAgain("other candidates are under way");
            } else {
                fail(new Promotion.Unavailable(roster.troubles()));
            }
        }

        /** Somebody whom as many nodes name as elect: anybody else may still come to nothing. */
        private Optional<Answer.Held> holderForMost() {
            int quorum = rules.best(roster.lastSights())
                    .map(best -> best.next().quorum())
                    .orElse(Integer.MAX_VALUE);
            Map<Term, List<Answer.Held>> byTerm = round.all(Answer.Held.class).stream()
                    .collect(Collectors.groupingBy(held -> held.by().term()));
            return byTerm.values().stream()
                    .filter(held -> held.size() >= quorum)
                    .map(List::getFirst)
                    .findFirst();
        }

        private void recover() {
            List<Sight> grants = round.grants();
            Sight best = rules.best(grants).orElseThrow();
            Set<MemberId> granted = QuorumRules.members(grants);
            Optional<Entry> tip = tipOf(best.member());
            long sentNanos = round.earliestSendTo(granted);
            if (tip.isEmpty() || rules.isChosen(best, grants)) {
                Set<MemberId> upToDate = grants.stream()
                        .filter(sight -> sight.head().equals(best.head()))
                        .map(Sight::member)
                        .collect(Collectors.toSet());
                win(best, tip, granted, upToDate, grants, sentNanos);
            } else {
                new Recovery(best, tip.get(), granted, grants).begin();
            }
        }

        private Optional<Entry> tipOf(MemberId member) {
            return round.answers().get(member) instanceof Answer.Granted(Sight ignored, Optional<Entry> tip)
                    ? tip
                    : Optional.empty();
        }

        private void win(
                Sight best,
                Optional<Entry> tip,
                Set<MemberId> standing,
                Set<MemberId> upToDate,
                List<Sight> grants,
                long sentNanos) {
            Won won = new Won(
                    seating,
                    tip.map(Entry::asHead).orElse(Head.GENESIS),
                    tip,
                    best.governing(),
                    best.next(),
                    standing,
                    upToDate,
                    endingOfPredecessor(grants),
                    sentNanos);
            done.accept(
                    Optional.of(won),
                    new Promotion.Elected(won.seating(), won.head(), won.predecessorEnded(), won.sentNanos()));
        }

        /** INV-3: the last entry may be committed, so it is: again, unchanged, under the new ballot. */
        private final class Recovery implements CatchingUp.Course {

            private final Sight best;
            private final Entry tip;
            private final Set<MemberId> granted;
            private final List<Sight> grants;
            private final Set<MemberId> catchingUp = new HashSet<>();
            private int tries;
            private boolean over;

            Recovery(Sight best, Entry tip, Set<MemberId> granted, List<Sight> grants) {
                this.best = best;
                this.tip = tip;
                this.granted = granted;
                this.grants = grants;
            }

            void begin() {
                tries++;
                new Appending(rules, roster, surroundings, best.governing(), Set.of())
                        .begin(seating, tip, settings.lease(), this::counted, this::heard);
            }

            /** A node that lags may be needed for the quorum, and nobody else can bring it up to date now. */
            private void heard(Round.Heard heard) {
                if (heard.answer() instanceof Answer.Behind behind && !over && catchingUp.add(heard.member())) {
                    Head at = behind.tip().map(Tip::asHead).orElse(Head.GENESIS);
                    new CatchingUp(
                                    rules,
                                    roster,
                                    this,
                                    heard.node(),
                                    heard.member(),
                                    at,
                                    ignored -> {},
                                    () -> catchingUp.remove(heard.member()))
                            .goOn();
                }
            }

            @Override
            public boolean isOver() {
                return over;
            }

            @Override
            public Seating seating() {
                return seating;
            }

            @Override
            public Optional<Entry> goal() {
                return Optional.of(tip);
            }

            @Override
            public MemberSet governingGoal() {
                return best.governing();
            }

            @Override
            public Optional<Member> source(MemberId except) {
                return asked.stream()
                        .filter(member -> member.id().equals(best.member())
                                && !member.id().equals(except))
                        .findFirst();
            }

            private void counted(QuorumRules.Count count, Appending appending) {
                switch (count) {
                    case COMMITTED -> {
                        over = true;
                        Set<MemberId> standing = new HashSet<>(granted);
                        standing.addAll(appending.acceptedBy());
                        win(best, Optional.of(tip), standing, appending.acceptedBy(), grants, appending.sentNanos());
                    }
                    case UNKNOWN -> {
                        if (tries < settings.attempts()) {
                            surroundings.after(pause(), this::begin);
                        } else {
                            giveUp("the last entry " + tip + " could not be brought to a quorum: " + roster.troubles());
                        }
                    }
                    case FENCED, OTHERWISE -> giveUp("a higher epoch was promised meanwhile");
                    case OPEN -> throw new IllegalStateException("told before the end");
                }
            }

            private void giveUp(String why) {
                over = true;
                lost = true;
                withdrawAll();
                fail(new Promotion.Unavailable(why));
            }
        }
    }

    /** The term that the claim replaces. */
    private Optional<Term> claimedTerm() {
        return switch (claim) {
            case Claim.Vacancy ignored -> Optional.empty();
            case Claim.Evidence(Term of) -> Optional.of(of);
            case Claim.ByTicket(Ticket ticket) -> Optional.of(ticket.term());
        };
    }

    private String claimedHead() {
        return claim instanceof Claim.ByTicket(Ticket ticket) ? ticket.head() + " of " + ticket.term() : "no head";
    }

    private Ending endingOfPredecessor(Collection<Sight> grants) {
        Ending ended = Picture.lastEnded(grants);
        if (ended != Ending.LAPSED) {
            return ended;
        }
        Epoch open =
                grants.stream().map(Sight::open).max(Comparator.naturalOrder()).orElse(Epoch.NONE);
        boolean named = claimedTerm().map(term -> term.epoch().equals(open)).orElse(false);
        return named ? claim.endingOfPredecessor() : Ending.LAPSED;
    }
}
