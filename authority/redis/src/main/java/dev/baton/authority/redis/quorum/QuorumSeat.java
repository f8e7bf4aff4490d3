package dev.baton.authority.redis.quorum;

import dev.baton.authority.Appended;
import dev.baton.authority.Candidate;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import dev.baton.authority.Trim;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One seat over a few independent Redis nodes, as one process takes part in it.
 *
 * <p>All state belongs to the tasks of {@link Surroundings}, which run one at a time. A term lives in this object's
 * memory alone: INV-2, whoever starts anew has none, and nobody can hand it one.
 */
public final class QuorumSeat implements SeatAuthority, AutoCloseable {

    private static final String CLOSED = "this authority is closed";

    /** Three seconds for a newcomer's connection. */
    private static final int MEETINGS = 60;

    private static final Duration BETWEEN_MEETINGS = Duration.ofMillis(50);

    private final SeatId id;
    private final QuorumSettings settings;
    private final QuorumRules rules;
    private final Surroundings surroundings;
    private final Roster roster;
    private final Watchers watchers = new Watchers();
    private final Observation observation;
    private final Reader reader;
    private final Deque<Runnable> waitingCandidacies = new ArrayDeque<>();
    private @Nullable Tenure tenure;
    private boolean standing;
    private boolean closed;
    private volatile Optional<Fact> rider = Optional.empty();

    public QuorumSeat(
            SeatId id,
            QuorumSettings settings,
            QuorumRules rules,
            List<String> addresses,
            Network network,
            Surroundings surroundings) {
        this.id = id;
        this.settings = settings;
        this.rules = rules;
        this.surroundings = surroundings;
        this.roster = new Roster(network, surroundings, addresses);
        this.observation = new Observation(settings, rules, roster, surroundings, watchers, network);
        this.reader = new Reader(roster, observation);
        network.listen(news -> surroundings.run(() -> heard(news)));
    }

    @Override
    public SeatId id() {
        return id;
    }

    /** A fact that stands for a change of the node set, which rides on the term's next entry. */
    @Override
    public Optional<Fact> rider() {
        return rider;
    }

    private void heard(Network.News news) {
        if (closed) {
            return;
        }
        if (news.kind() == Network.News.Kind.CONNECTED) {
            Roster.Node node = roster.at(news.address());
            node.forgetRecognition();
            node.introduce();
        }
        observation.heard(news);
    }

    @Override
    public CompletionStage<Promotion> promote(Claim claim, Candidate candidate) {
        return answering(new Promotion.Unavailable(CLOSED), answer -> {
            if (standing) {
                waitingCandidacies.add(() -> stand(claim, candidate, answer));
            } else {
                stand(claim, candidate, answer);
            }
        });
    }

    private void stand(Claim claim, Candidate candidate, Consumer<Promotion> answer) {
        standing = true;
        Consumer<Promotion> last = promotion -> {
            standing = false;
            answer.accept(promotion);
            Runnable next = waitingCandidacies.poll();
            if (next != null) {
                next.run();
            }
        };
        Optional<String> objection = objection(claim, candidate);
        if (objection.isPresent()) {
            last.accept(new Promotion.Refused(objection.get()));
        } else if (tenure != null && tenure.term().holder().equals(candidate.holder())) {
            renew(tenure, claim, candidate, last);
        } else {
            stepForward(claim, candidate, last);
        }
    }

    private Optional<String> objection(Claim claim, Candidate candidate) {
        if (claim instanceof Claim.ByTicket(Ticket ticket)) {
            if (!ticket.seat().equals(id)) {
                return Optional.of("the ticket is for " + ticket.seat() + ", not for " + id);
            }
            if (!ticket.target().equals(candidate.holder().node())) {
                return Optional.of("the ticket is for " + ticket.target() + ", not for "
                        + candidate.holder().node());
            }
        }
        return Optional.empty();
    }

    private void stepForward(Claim claim, Candidate candidate, Consumer<Promotion> answer) {
        new Candidacy(settings, rules, roster, observation, surroundings, claim, candidate, (won, promotion) -> {
                    won.ifPresent(this::begin);
                    answer.accept(promotion);
                })
                .begin();
    }

    private void begin(Candidacy.Won won) {
        endTenure();
        tenure = new Tenure(settings, rules, roster, surroundings, won, this::propose);
        observation.changed();
        observation.committed(won.head());
        watchers.tell(Optional.of(won.seating()), won.predecessorEnded(), observation.head());
    }

    private void propose(Optional<MemberSet> set) {
        rider = set.map(MemberSet::asFact);
    }

    /** The same incarnation asks again: the same term, with its lease renewed, unless it is over. */
    private void renew(Tenure current, Claim claim, Candidate candidate, Consumer<Promotion> answer) {
        MemberSet set = current.members();
        Asking.all(
                set,
                roster,
                surroundings,
                member -> new Ask.Promote(
                        member.id(), current.seating(), settings.lease(), Optional.empty(), Optional.empty()),
                (round, over) -> {
                    Set<MemberId> renewed = QuorumRules.members(round.grants());
                    if (set.hasQuorumAmong(renewed)) {
                        answer.accept(new Promotion.Elected(
                                current.seating(),
                                current.head(),
                                current.predecessorEnded(),
                                round.earliestSendTo(renewed)));
                        return true;
                    }
                    if (over) {
                        boolean refused = round.answers().values().stream()
                                .anyMatch(given -> given instanceof Answer.Held || given instanceof Answer.Stale);
                        if (refused) {
                            endTenure();
                            stepForward(claim, candidate, answer);
                        } else {
                            answer.accept(new Promotion.Unavailable(roster.troubles()));
                        }
                    }
                    return over;
                });
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        return answering(new Appended.Unavailable(CLOSED), answer -> {
            Tenure current = tenure;
            if (current == null || !current.term().equals(term)) {
                answer.accept(new Appended.Fenced(notBelow(term.epoch())));
                return;
            }
            observation.appends();
            current.append(entry, appended -> {
                switch (appended) {
                    case Appended.Committed ignored -> committed(current);
                    case Appended.Fenced ignored -> lost(current);
                    default -> {}
                }
                answer.accept(appended);
            });
        });
    }

    private void committed(Tenure current) {
        if (tenure == current) {
            observation.committed(current.head());
            watchers.tell(Optional.of(current.seating()), Ending.NONE, observation.head());
        }
    }

    private void lost(Tenure current) {
        if (tenure == current) {
            endTenure();
            observation.keepLooking();
        }
    }

    private void endTenure() {
        if (tenure != null) {
            tenure.upkeep().end();
            tenure = null;
            observation.changed();
        }
    }

    private Epoch notBelow(Epoch epoch) {
        return roster.highest().isAbove(epoch) ? roster.highest() : epoch;
    }

    @Override
    public CompletionStage<Resignation> resign(Term term) {
        return answering(new Resignation.Unknown(CLOSED), answer -> {
            boolean own = tenure != null && tenure.term().equals(term);
            if (own) {
                endTenure();
            }
            if (roster.voters().isEmpty()) {
                observation.look(ignored -> resignEverywhere(term, own, answer));
            } else {
                resignEverywhere(term, own, answer);
            }
        });
    }

    private void resignEverywhere(Term term, boolean own, Consumer<Resignation> answer) {
        Optional<Sight> best = rules.best(roster.lastSights());
        if (best.isEmpty()) {
            answer.accept(new Resignation.Unknown(roster.troubles()));
            return;
        }
        MemberSet set = best.get().next();
        Asking.all(set, roster, surroundings, member -> new Ask.Resign(member.id(), term, true), (round, over) -> {
            boolean done = round.all(Answer.Done.class).size() >= set.quorum();
            if (done) {
                observation.changed();
                if (own) {
                    watchers.tell(Optional.empty(), Ending.RESIGNED, observation.head());
                }
                observation.keepLooking();
                answer.accept(new Resignation.Done());
            } else if (over) {
                answer.accept(new Resignation.Unknown(roster.troubles()));
            }
            return done || over;
        });
    }

    @Override
    public CompletionStage<Page> read(Height from, PageLimit limit) {
        return answering(new Page.Unavailable(CLOSED), answer -> {
            Optional<Entry> tip = tenure == null ? Optional.empty() : tenure.tip();
            if (tip.isPresent() && tip.get().height().equals(from)) {
                answer.accept(new Page.Entries(List.of(tip.get()), observation.head()));
            } else {
                reader.read(from, limit, answer);
            }
        });
    }

    @Override
    public CompletionStage<Trim> trim(Term term, Height below) {
        return answering(new Trim.Unknown(CLOSED), answer -> {
            Tenure current = tenure;
            if (current == null || !current.term().equals(term)) {
                answer.accept(new Trim.Fenced(notBelow(term.epoch())));
                return;
            }
            current.trim(below, trim -> {
                if (trim instanceof Trim.Done(Height oldest)) {
                    observation.trimmed(oldest);
                    answer.accept(new Trim.Done(observation.oldest()));
                } else {
                    answer.accept(trim);
                }
            });
        });
    }

    @Override
    public CompletionStage<Look> look() {
        return answering(
                new Look.Unavailable(CLOSED),
                answer -> observation.look(picture -> answer.accept(observation.asLook(picture))));
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        CompletableFuture<Watchers.Told> watching = new CompletableFuture<>();
        surroundings.run(() -> {
            watching.complete(watchers.add(listener));
            observation.attend();
            observation.keepLooking();
        });
        return () -> surroundings.run(() -> {
            Watchers.Told told = watching.getNow(null);
            if (told != null) {
                told.stop();
                observation.attend();
            }
        });
    }

    /** The nodes that decide, as far as this process knows; empty if it has seen none. */
    public CompletionStage<List<NodeState>> nodes() {
        return answering(List.of(), answer -> observation.look(ignored -> answer.accept(nodeStates())));
    }

    /**
     * One Redis node as this process sees it.
     *
     * @param sight what it last said; empty if it never did, or has forgotten
     * @param trouble why it cannot vote
     * @param blank whether that is because it has no memory that anybody may rely on
     * @param silent whether that is because it does not answer: what it said before stays true as far as it went
     */
    public record NodeState(
            String address,
            Optional<MemberId> member,
            Optional<Sight> sight,
            Optional<String> trouble,
            boolean blank,
            boolean silent) {}

    private List<NodeState> nodeStates() {
        Optional<MemberSet> set = tenure != null
                ? Optional.of(tenure.members())
                : rules.best(roster.lastSights()).map(Sight::next);
        return roster.all().stream()
                .map(node -> new NodeState(
                        node.address(),
                        set.flatMap(members -> members.at(node.address())).map(Member::id),
                        node.sight(),
                        node.trouble(),
                        node.isBlank(),
                        node.isSilent()))
                .toList();
    }

    /**
     * Changes the node set. Only the process that holds the seat can; the change rides on one of its next entries.
     *
     * @param leaving the address of the node that leaves, if any
     * @param arriving the address of the node that enters, if any; its Redis must know nothing of this seat
     * @return completes empty once the change is committed, or with what stood in the way
     */
    public CompletionStage<Optional<String>> changeNodes(Optional<String> leaving, Optional<String> arriving) {
        return answering(Optional.of(CLOSED), answer -> {
            Tenure current = tenure;
            if (current == null) {
                answer.accept(Optional.of("this process does not hold the seat (expected: ask its holder)"));
                return;
            }
            Optional<Member> gone = leaving.flatMap(current.members()::at);
            if (leaving.isPresent() && gone.isEmpty()) {
                answer.accept(Optional.of(leaving.get() + " is not among " + current.members()));
                return;
            }
            Runnable change = () -> current.upkeep().change(gone.map(Member::id), arriving, answer);
            arriving.ifPresentOrElse(address -> meet(roster.at(address), MEETINGS, change), change);
        });
    }

    /** The connection to a newcomer begins with the first question to it, so that one may come too early. */
    private void meet(Roster.Node newcomer, int tries, Runnable then) {
        newcomer.ask(new Ask.Recognise(newcomer.link().fsync()), Link.Lane.EXPRESS, answer -> {
            if (answer instanceof Answer.Unsent && tries > 1) {
                surroundings.after(BETWEEN_MEETINGS, () -> meet(newcomer, tries - 1, then));
            } else {
                then.run();
            }
        });
    }

    /** Does the work in order, and answers all the same if this object is closed meanwhile. */
    private <R> CompletionStage<R> answering(R whenClosed, Consumer<Consumer<R>> work) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        surroundings.run(() -> {
            if (closed) {
                answer.complete(whenClosed);
                return;
            }
            work.accept(answer::complete);
        });
        return answer;
    }

    /** Resigns nothing. What is under way is answered as soon as its links answer. */
    @Override
    public void close() {
        surroundings.run(() -> {
            closed = true;
            observation.close();
            endTenure();
        });
    }
}
