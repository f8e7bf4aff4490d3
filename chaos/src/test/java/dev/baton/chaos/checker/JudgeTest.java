package dev.baton.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.SyntheticRun;
import dev.baton.chaos.checker.Judgement.Verdict;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import dev.baton.chaos.plan.FaultKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A clean run passes; broken in one place, it fails by the rule that is for it, and by no other. */
class JudgeTest {

    private static final List<Event> CLEAN = SyntheticRun.small();
    private static final long SECOND = 1_000_000_000L;

    private static Judgement judge(List<Event> events) {
        return Judge.judge(events, Bounds.usual());
    }

    private static List<Event> with(Event... more) {
        return Stream.concat(CLEAN.stream(), Stream.of(more)).toList();
    }

    private static List<Event> changed(UnaryOperator<Event> change) {
        return CLEAN.stream().map(change).toList();
    }

    private static List<Event> without(Class<?> kind) {
        return CLEAN.stream().filter(each -> !kind.isInstance(each)).toList();
    }

    /** Changes a block wherever it is seen or held at one node. */
    private static List<Event> changedAt(String source, long height, UnaryOperator<Held> change) {
        return changed(event -> switch (event) {
            case Event.BlockSeen e
            when e.source().equals(source) && e.block().height() == height ->
                new Event.BlockSeen(e.atNanos(), e.reader(), e.source(), change.apply(e.block()));
            case Event.FinalStore e
            when e.source().equals(source) ->
                new Event.FinalStore(e.atNanos(), e.source(), changedIn(e.blocks(), height, change));
            case Event.FinalLedger e
            when e.source().equals(source) ->
                new Event.FinalLedger(e.atNanos(), e.source(), changedIn(e.blocks(), height, change));
            default -> event;
        });
    }

    private static List<Event> changedEverywhere(long height, UnaryOperator<Held> change) {
        return changed(event -> switch (event) {
            case Event.BlockSeen e
            when e.block().height() == height ->
                new Event.BlockSeen(e.atNanos(), e.reader(), e.source(), change.apply(e.block()));
            case Event.FinalStore e ->
                new Event.FinalStore(e.atNanos(), e.source(), changedIn(e.blocks(), height, change));
            default -> event;
        });
    }

    private static List<Held> changedIn(List<Held> blocks, long height, UnaryOperator<Held> change) {
        return blocks.stream()
                .map(each -> each.height() == height ? change.apply(each) : each)
                .toList();
    }

    private static Held withHash(Held b, String hash) {
        return new Held(b.height(), hash, b.parent(), b.epoch(), b.producer(), b.count(), b.transactions());
    }

    private static Held withParent(Held b, String parent) {
        return new Held(b.height(), b.hash(), parent, b.epoch(), b.producer(), b.count(), b.transactions());
    }

    private static Held withEpoch(Held b, long epoch, String producer) {
        return new Held(b.height(), b.hash(), b.parent(), epoch, producer, b.count(), b.transactions());
    }

    private static Held withTransactions(Held b, List<String> transactions) {
        return new Held(b.height(), b.hash(), b.parent(), b.epoch(), b.producer(), transactions.size(), transactions);
    }

    private static <T> T find(Class<T> kind, Predicate<T> wanted) {
        return CLEAN.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .filter(wanted)
                .findFirst()
                .orElseThrow();
    }

    /** The first acknowledged transaction at or above a height. */
    private static Event.Answered included(long least) {
        return find(
                Event.Answered.class, each -> each.answer() instanceof Answer.Included told && told.height() >= least);
    }

    private static long heightOf(Event.Answered answered) {
        return ((Answer.Included) answered.answer()).height();
    }

    private static String transactionOf(long op) {
        return ((Request.Submit)
                        find(Event.Invoked.class, each -> each.op() == op).request())
                .transaction();
    }

    private static void assertOnlyBroken(Judgement judgement, Rule... rules) {
        assertThat(judgement.counts().keySet()).as("%s", judgement.violations()).containsExactlyInAnyOrder(rules);
        assertThat(judgement.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(judgement.violations())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.text()).isNotBlank());
    }

    @Test
    void aCleanRunPasses() {
        Judgement judgement = judge(CLEAN);
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.doubts()).isEmpty();
        assertThat(judgement.verdict()).isEqualTo(Verdict.PASS);
        assertThat(judgement.commits()).isGreaterThan(40);
        assertThat(judgement.faults()).isGreaterThanOrEqualTo(6);
        assertThat(judgement.failovers()).isNotEmpty();
    }

    @Test
    void cleanRunsOfManySeedsPass() {
        for (long seed = 0; seed < 60; seed++) {
            Judgement judgement = judge(SyntheticRun.events(seed, Duration.ofSeconds(30), 20, 600));
            assertThat(judgement.verdict())
                    .as("seed %d: %s %s", seed, judgement.violations(), judgement.doubts())
                    .isEqualTo(Verdict.PASS);
        }
    }

    @Test
    void theOrderInWhichEventsWereWrittenDoesNotMatter() {
        List<Event> shuffled = new ArrayList<>(CLEAN);
        Collections.shuffle(shuffled, new Random(1));
        assertThat(judge(shuffled)).isEqualTo(judge(CLEAN));
    }

    @Test
    void whatNodesSayAboutThemselvesIsNeverJudged() {
        List<Event> lies = changed(event -> event instanceof Event.Sampled s
                ? new Event.Sampled(s.atNanos(), s.node(), "leader", 999, 999_999, true)
                : event);
        assertThat(judge(lies)).isEqualTo(judge(CLEAN));
        assertThat(judge(without(Event.Sampled.class))).isEqualTo(judge(CLEAN));
    }

    @Test
    void twoBlocksAtOneHeightAreFound() {
        Judgement judgement = judge(changedAt("n2", 20, block -> withHash(block, "forged")));
        assertThat(judgement.counts()).containsKey(Rule.ONE_BLOCK).doesNotContainKey(Rule.AGREEMENT);
        assertThat(judgement.violations().get(0).heights()).contains(20L);
        assertThat(judgement.violations().get(0).text()).contains("forged", "height 20");
    }

    @Test
    void aForkThatOnlyAReaderSawAndNobodyHoldsAtTheEndIsFound() {
        Event.BlockSeen seen = find(Event.BlockSeen.class, each -> each.block().height() == 30);
        assertOnlyBroken(
                judge(with(new Event.BlockSeen(seen.atNanos(), "reader-x", "n1", withHash(seen.block(), "vanished")))),
                Rule.ONE_BLOCK);
    }

    @Test
    void anAnswerThatNamesAnotherBlockThanTheStoresIsFound() {
        Event.Answered answer = included(10);
        Answer.Included told = (Answer.Included) answer.answer();
        assertOnlyBroken(
                judge(changed(event -> event.equals(answer)
                        ? new Event.Answered(
                                answer.atNanos(),
                                answer.op(),
                                new Answer.Included(told.height(), told.index(), "another", false))
                        : event)),
                Rule.ONE_BLOCK);
    }

    @Test
    void theSameHashWithOtherTransactionsIsFound() {
        long height = heightOf(included(12));
        Judgement judgement = judge(changedAt("n3", height, block -> withTransactions(block, List.of("smuggled"))));
        assertThat(judgement.counts()).containsKey(Rule.ONE_BLOCK);
    }

    @Test
    void twoEpochsForOneHeightAreFound() {
        Event.BlockSeen top = CLEAN.stream()
                .filter(Event.BlockSeen.class::isInstance)
                .map(Event.BlockSeen.class::cast)
                .reduce((a, b) -> b)
                .orElseThrow();
        assertOnlyBroken(
                judge(with(new Event.BlockSeen(
                        top.atNanos(),
                        "reader-x",
                        "n1",
                        withEpoch(top.block(), top.block().epoch() + 1, "n2")))),
                Rule.ONE_PRODUCER);
    }

    @Test
    void oneEpochWithTwoProducersIsFound() {
        assertOnlyBroken(
                judge(changedEverywhere(3, block -> withEpoch(block, block.epoch(), "n3"))), Rule.ONE_PRODUCER);
    }

    @Test
    void aBlockThatRestsOnNothingIsFound() {
        assertOnlyBroken(judge(changedEverywhere(25, block -> withParent(block, "nowhere"))), Rule.PARENTS);
    }

    @Test
    void aHoleInAStoreIsFound() {
        assertOnlyBroken(
                judge(changed(event ->
                        event instanceof Event.FinalStore s && s.source().equals("n1")
                                ? new Event.FinalStore(
                                        s.atNanos(),
                                        s.source(),
                                        s.blocks().stream()
                                                .filter(each -> each.height() != 15)
                                                .toList())
                                : event)),
                Rule.PARENTS);
    }

    @Test
    void anAcknowledgedTransactionThatIsNowhereIsFound() {
        Event.Answered answer = included(10);
        Answer.Included told = (Answer.Included) answer.answer();
        Judgement judgement = judge(changedEverywhere(told.height(), block -> {
            List<String> others = new ArrayList<>(block.transactions());
            others.set(told.index(), "somebody else's");
            return withTransactions(block, others);
        }));
        assertOnlyBroken(judgement, Rule.ACKNOWLEDGED);
        assertThat(judgement.violations().get(0).ops()).containsExactly(answer.op());
    }

    @Test
    void anAcknowledgementOfAHeightThatNoStoreHoldsIsFound() {
        Judgement judgement = judge(with(
                new Event.Invoked(19 * SECOND, 90_001, "c1", "n1", new Request.Submit("lost")),
                new Event.Answered(19 * SECOND + 1, 90_001, new Answer.Included(100_000, 0, "gone", false))));
        assertThat(judgement.counts()).containsKey(Rule.ACKNOWLEDGED);
        assertThat(judgement.violations())
                .anySatisfy(each -> assertThat(each.text()).contains("no store holds"));
    }

    @Test
    void aTransactionThatIsInTheChainTwiceIsFound() {
        String transaction = transactionOf(included(10).op());
        Judgement judgement = judge(changedEverywhere(40, block -> {
            List<String> more = new ArrayList<>(block.transactions());
            more.add(transaction);
            return withTransactions(block, more);
        }));
        assertOnlyBroken(judgement, Rule.ONCE);
    }

    @Test
    void aTransactionAcknowledgedAtTwoPlacesIsFound() {
        Event.Answered answer = included(10);
        Answer.Included told = (Answer.Included) answer.answer();
        Judgement judgement = judge(with(
                new Event.Invoked(19 * SECOND, 90_001, "c1", "n1", new Request.Submit(transactionOf(answer.op()))),
                new Event.Answered(
                        19 * SECOND + 1,
                        90_001,
                        new Answer.Included(told.height(), told.index() + 1, told.block(), true))));
        assertOnlyBroken(judgement, Rule.ONCE, Rule.TRUE_ANSWER);
    }

    @Test
    void aRepeatedAnswerToTheSameTransactionIsRight() {
        Event.Answered answer = included(10);
        Answer.Included told = (Answer.Included) answer.answer();
        Judgement judgement = judge(with(
                new Event.Invoked(19 * SECOND, 90_001, "c1", "n1", new Request.Submit(transactionOf(answer.op()))),
                new Event.Answered(
                        19 * SECOND + 1,
                        90_001,
                        new Answer.Included(told.height(), told.index(), told.block(), true))));
        assertThat(judgement.verdict()).as("%s", judgement.violations()).isEqualTo(Verdict.PASS);
    }

    @Test
    void anAnswerWithTheWrongIndexIsFound() {
        Event.Answered answer = included(10);
        Answer.Included told = (Answer.Included) answer.answer();
        assertOnlyBroken(
                judge(changed(event -> event.equals(answer)
                        ? new Event.Answered(
                                answer.atNanos(),
                                answer.op(),
                                new Answer.Included(told.height(), told.index() + 100, told.block(), false))
                        : event)),
                Rule.TRUE_ANSWER);
    }

    @Test
    void aRefusedTransactionThatHappenedIsFound() {
        Event.Answered answer = included(10);
        assertOnlyBroken(
                judge(changed(event -> event.equals(answer)
                        ? new Event.Answered(answer.atNanos(), answer.op(), new Answer.Refused("no"))
                        : event)),
                Rule.REFUSED);
    }

    @Test
    void anUnknownTransactionMayHaveHappenedOrNot() {
        Event.Answered answer = included(10);
        List<Event> unknown = changed(event -> event.equals(answer)
                ? new Event.Answered(answer.atNanos(), answer.op(), new Answer.Unknown("connection reset"))
                : event);
        assertThat(judge(unknown).verdict()).isEqualTo(Verdict.PASS);
        List<Event> unanswered =
                CLEAN.stream().filter(each -> !each.equals(answer)).toList();
        assertThat(judge(unanswered).verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void aLowEpochAboveAHighOneIsFound() {
        Event.BlockSeen high = find(Event.BlockSeen.class, each -> each.block().epoch() > 1);
        long above = high.block().height() + 1;
        assertOnlyBroken(judge(changedEverywhere(above, block -> withEpoch(block, 1, "n1"))), Rule.HIGHEST_EPOCH);
    }

    @Test
    void tokensOfAnEpochThatIsOverAreFound() {
        Event.Answered last = CLEAN.stream()
                .filter(Event.Answered.class::isInstance)
                .map(Event.Answered.class::cast)
                .filter(each -> each.answer() instanceof Answer.Issued)
                .reduce((a, b) -> b)
                .orElseThrow();
        Answer.Issued issued = (Answer.Issued) last.answer();
        assertThat(issued.epoch()).isGreaterThan(1);
        assertOnlyBroken(
                judge(changed(event -> event.equals(last)
                        ? new Event.Answered(
                                last.atNanos(),
                                last.op(),
                                new Answer.Issued(
                                        issued.start(), issued.end(), 1, issued.revision(), 1, issued.height()))
                        : event)),
                Rule.HIGHEST_EPOCH,
                Rule.AGREEMENT);
    }

    private static List<Event> withTokens(long op, String client, long at, String namespace, Answer.Issued issued) {
        return List.of(
                new Event.Invoked(at, op, client, "n1", new Request.Next(namespace, 5, Request.Next.STRICT)),
                new Event.Answered(at + 10, op, issued));
    }

    private static List<Event> join(List<Event> one, List<Event> other) {
        return Stream.of(CLEAN, one, other).flatMap(List::stream).toList();
    }

    @Test
    void aTokenIssuedTwiceIsFoundAlsoIfBothAskedAtTheSameTime() {
        Judgement judgement = judge(join(
                withTokens(90_001, "a", 19 * SECOND, "bills", new Answer.Issued(1, 5, 1, 1, 0, 0)),
                withTokens(90_002, "b", 19 * SECOND, "bills", new Answer.Issued(5, 9, 1, 1, 0, 0))));
        assertOnlyBroken(judgement, Rule.UNIQUE_TOKENS);
        assertThat(judgement.violations().get(0).text()).contains("token 5 of bills");
        assertThat(judgement.violations().get(0).ops()).containsExactly(90_001L, 90_002L);
    }

    @Test
    void interleavedRangesOfTwoStepsAreNoDuplicates() {
        Judgement judgement = judge(join(
                withTokens(90_001, "a", 19 * SECOND, "bills", new Answer.Issued(1, 9, 2, 1, 0, 0)),
                withTokens(90_002, "b", 19 * SECOND, "bills", new Answer.Issued(2, 10, 2, 1, 0, 0))));
        assertThat(judgement.verdict()).as("%s", judgement.violations()).isEqualTo(Verdict.PASS);
    }

    @Test
    void aLowerTokenAskedForAfterAHigherOneWasAnsweredIsFound() {
        Judgement judgement = judge(join(
                withTokens(90_001, "a", 18 * SECOND, "bills", new Answer.Issued(6, 10, 1, 1, 0, 0)),
                withTokens(90_002, "b", 19 * SECOND, "bills", new Answer.Issued(1, 5, 1, 1, 0, 0))));
        assertOnlyBroken(judgement, Rule.REAL_TIME);
    }

    @Test
    void tokensAskedForAtTheSameTimeAreInNoOrder() {
        Judgement judgement = judge(join(
                withTokens(90_001, "a", 19 * SECOND, "bills", new Answer.Issued(6, 10, 1, 1, 0, 0)),
                withTokens(90_002, "b", 19 * SECOND + 10, "bills", new Answer.Issued(1, 5, 1, 1, 0, 0))));
        assertThat(judgement.verdict()).as("%s", judgement.violations()).isEqualTo(Verdict.PASS);
    }

    @Test
    void aRangeThatGoesDownwardIsFound() {
        assertOnlyBroken(
                judge(join(
                        withTokens(90_001, "a", 19 * SECOND, "bills", new Answer.Issued(6, 2, 1, 1, 0, 0)), List.of())),
                Rule.TRUE_ANSWER);
    }

    @Test
    void aTransactionInABlockOlderThanItselfIsFound() {
        Event.Answered early = included(10);
        Event.Answered late = included(heightOf(early) + 20);
        String transaction = transactionOf(early.op());
        // Nobody sent it before; a block from long ago is said to hold it.
        List<Event> moved = changed(event -> switch (event) {
            case Event.Invoked e
            when e.op() == early.op() ->
                new Event.Invoked(late.atNanos() + SECOND, e.op(), e.client(), e.node(), e.request());
            case Event.Answered e
            when e.op() == early.op() -> new Event.Answered(late.atNanos() + SECOND + 1, e.op(), e.answer());
            default -> event;
        });
        Judgement judgement = judge(moved);
        assertOnlyBroken(judgement, Rule.REAL_TIME);
        assertThat(transaction).isNotBlank();
    }

    @Test
    void aRevisionThatFallsForOneCallerIsFoundAndForTwoCallersIsNot() {
        List<Event> first = withTokens(90_001, "a", 18 * SECOND, "bills", new Answer.Issued(1, 5, 1, 7, 0, 0));
        assertOnlyBroken(
                judge(join(first, withTokens(90_002, "a", 19 * SECOND, "bills", new Answer.Issued(6, 10, 1, 6, 0, 0)))),
                Rule.REVISION);
        assertThat(judge(join(
                                first,
                                withTokens(90_002, "b", 19 * SECOND, "bills", new Answer.Issued(6, 10, 1, 6, 0, 0))))
                        .verdict())
                .isEqualTo(Verdict.PASS);
    }

    @Test
    void anOrphanLeftInAnEngineIsFound() {
        Judgement judgement = judge(changedAt("redis-2", 33, block -> withHash(block, "orphan")));
        assertOnlyBroken(judgement, Rule.AGREEMENT);
        assertThat(judgement.violations().get(0).text()).contains("redis-2", "orphan", "height 33");
    }

    @Test
    void anEngineOrAStoreThatStayedBehindIsFound() {
        List<Event> shortLedger = changed(event -> event instanceof Event.FinalLedger l
                        && l.source().equals("redis-3")
                ? new Event.FinalLedger(l.atNanos(), l.source(), l.blocks().subList(0, 10))
                : event);
        assertOnlyBroken(judge(shortLedger), Rule.AGREEMENT);
        List<Event> emptyStore = changed(
                event -> event instanceof Event.FinalStore s && s.source().equals("n3")
                        ? new Event.FinalStore(s.atNanos(), s.source(), List.of())
                        : event);
        assertOnlyBroken(judge(emptyStore), Rule.AGREEMENT);
    }

    @Test
    void anEngineServerThatWasNotReadIsADoubtThatNamesIt() {
        List<Event> two = CLEAN.stream()
                .filter(each ->
                        !(each instanceof Event.FinalLedger l && l.source().equals("redis-3")))
                .toList();
        assertUnknown(judge(two), "of 3 engine servers 2 were read at the end, not redis-3");
    }

    /** A run as far as the engine's servers show it, as one of databases: no stores, and nobody was told of a height. */
    private static List<Violation> disagreementsWithoutHeights(List<Event> events) {
        List<Event> left = events.stream()
                .filter(each -> !(each instanceof Event.FinalStore
                        || each instanceof Event.BlockSeen
                        || each instanceof Event.Invoked
                        || each instanceof Event.Answered))
                .toList();
        return judge(left).violations().stream()
                .filter(each -> each.rule() == Rule.AGREEMENT)
                .toList();
    }

    @Test
    void whereNobodyIsToldOfHeightsServersAreHeldAgainstTheMajority() {
        assertThat(disagreementsWithoutHeights(CLEAN)).isEmpty();
        assertThat(disagreementsWithoutHeights(changedAt("redis-2", 33, block -> withHash(block, "orphan"))))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.heights()).containsExactly(33L);
                    assertThat(each.text()).contains("redis-2", "orphan");
                });
    }

    @Test
    void aTipThatNoMajorityHoldsMayStillBeReplaced() {
        long tip =
                find(Event.FinalLedger.class, each -> true).blocks().getLast().height();
        List<Event> unsettled = changed(event -> event instanceof Event.FinalLedger l
                ? new Event.FinalLedger(
                        l.atNanos(),
                        l.source(),
                        changedIn(l.blocks(), tip, block -> withHash(block, "of " + l.source())))
                : event);
        assertThat(disagreementsWithoutHeights(unsettled)).isEmpty();
    }

    @Test
    void aNodeThatNeverCameBackIsFound() {
        List<Event> two = CLEAN.stream()
                .filter(each ->
                        !(each instanceof Event.FinalStore s && s.source().equals("n3")))
                .toList();
        assertOnlyBroken(judge(two), Rule.AGREEMENT);
    }

    @Test
    void anEngineEntryAboveWhatWasSeenIsNoViolation() {
        List<Event> ahead = changed(event -> {
            if (!(event instanceof Event.FinalLedger l && l.source().equals("redis-1"))) {
                return event;
            }
            List<Held> more = new ArrayList<>(l.blocks());
            Held tip = more.get(more.size() - 1);
            more.add(new Held(tip.height() + 1, "not yet committed", tip.hash(), tip.epoch(), "", 0, List.of()));
            return new Event.FinalLedger(l.atNanos(), l.source(), more);
        });
        assertThat(judge(ahead).verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void aClusterThatNeverWorksAgainAfterTheLastFaultFails() {
        long last = CLEAN.stream()
                .filter(Event.FaultEnded.class::isInstance)
                .mapToLong(Event::atNanos)
                .max()
                .orElseThrow();
        List<Event> dead = Stream.concat(
                        CLEAN.stream()
                                .filter(each -> each.atNanos() <= last
                                        || each instanceof Event.Ended
                                        || each instanceof Event.Invoked),
                        Stream.of(new Event.FinalStore(40 * SECOND, "n1", List.of())))
                .toList();
        Judgement judgement = judge(dead);
        assertThat(judgement.counts()).containsKey(Rule.RECOVERY);
        assertThat(judgement.verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void aLateRecoveryFails() {
        Bounds strict = new Bounds(Duration.ofNanos(10), Duration.ofSeconds(5), 10, 1);
        assertOnlyBroken(Judge.judge(CLEAN, strict), Rule.RECOVERY);
    }

    @Test
    void tooLittleProgressIsAFailureAndNotADoubt() {
        Bounds demanding = new Bounds(Duration.ofSeconds(10), Duration.ofSeconds(5), 10_000, 1);
        assertOnlyBroken(Judge.judge(CLEAN, demanding), Rule.PROGRESS);
        List<Event> refused = changed(event -> event instanceof Event.Answered a
                ? new Event.Answered(a.atNanos(), a.op(), new Answer.Unknown("timeout"))
                : event);
        assertOnlyBroken(judge(refused), Rule.PROGRESS);
    }

    @Test
    void aRunThatShowsTooLittleIsUnknown() {
        assertUnknown(judge(List.of()), "does not say what was run");
        assertUnknown(judge(without(Event.Ended.class)), "did not come to its end");
        assertUnknown(
                judge(changed(event ->
                        event instanceof Event.Ended e ? new Event.Ended(e.atNanos(), false, "interrupted") : event)),
                "interrupted");
        assertUnknown(judge(without(Event.FinalStore.class)), "no store was read");
        assertUnknown(judge(without(Event.FinalLedger.class)), "of 3 engine servers 0");
        assertUnknown(judge(without(Event.FaultEnded.class)), "still in force");
        assertUnknown(
                judge(CLEAN.stream()
                        .filter(each -> !(each instanceof Event.FaultBegan || each instanceof Event.FaultEnded))
                        .toList()),
                "0 faults were done");
        assertUnknown(
                judge(CLEAN.stream()
                        .filter(each -> !(each instanceof Event.Invoked || each instanceof Event.Answered))
                        .toList()),
                "no client asked");
    }

    private static void assertUnknown(Judgement judgement, String why) {
        assertThat(judgement.verdict()).as("%s", judgement.violations()).isEqualTo(Verdict.UNKNOWN);
        assertThat(judgement.doubts()).anySatisfy(each -> assertThat(each).contains(why));
    }

    @Test
    void faultsThatCouldNotBeDoneDoNotCount() {
        List<Event> failed = new ArrayList<>(CLEAN);
        CLEAN.stream()
                .filter(Event.FaultBegan.class::isInstance)
                .map(Event.FaultBegan.class::cast)
                .forEach(each -> failed.add(new Event.FaultFailed(each.atNanos() + 1, each.fault(), "not permitted")));
        assertUnknown(judge(failed), "0 faults were done");
    }

    @Test
    void aHarnessThatContradictsItselfIsNotBelieved() {
        Event.Answered answer = included(5);
        assertUnknown(judge(with(answer)), "answered twice");
        assertUnknown(judge(with(new Event.Answered(5, 77_777, new Answer.Refused("no")))), "never invoked");
    }

    @Test
    void aViolationNamesTheFaultsThatWereInForce() {
        Event.FaultBegan fault = find(Event.FaultBegan.class, each -> true);
        Event.BlockSeen seen = find(Event.BlockSeen.class, each -> each.atNanos() > fault.atNanos());
        Judgement judgement =
                judge(with(new Event.BlockSeen(seen.atNanos(), "reader-x", "n1", withHash(seen.block(), "forged"))));
        assertThat(judgement.violations().get(0).faults()).contains(fault.fault());
    }

    @Test
    void aBugThatBreaksEveryBlockIsCountedAndNotListedAThousandTimes() {
        Judgement judgement = judge(changed(event ->
                event instanceof Event.BlockSeen e && e.source().equals("n2")
                        ? new Event.BlockSeen(
                                e.atNanos(),
                                e.reader(),
                                e.source(),
                                withHash(e.block(), "x" + e.block().height()))
                        : event));
        assertThat(judgement.counts().get(Rule.ONE_BLOCK)).isGreaterThan(Findings.KEPT_PER_RULE);
        assertThat(judgement.violations().stream().filter(each -> each.rule() == Rule.ONE_BLOCK))
                .hasSize(Findings.KEPT_PER_RULE);
    }

    @Test
    void aFailoverIsMeasuredFromTheFaultToTheFirstCommitOfTheNextTerm() {
        List<Event> events = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            events.add(seen(i * SECOND / 10, i, 1, "n1"));
        }
        events.add(new Event.FaultBegan(SECOND + 50, 1, FaultKind.KILL, List.of("n1"), Map.of()));
        for (int i = 11; i <= 30; i++) {
            events.add(seen(SECOND + 50 + 700_000_000L + (i - 11) * SECOND / 10, i, 2, "n2"));
        }
        events.add(new Event.FaultEnded(3 * SECOND, 1));
        Judgement judgement = judge(events);
        assertThat(judgement.outages()).hasSize(1);
        assertThat(judgement.outages().get(0).newEpoch()).isTrue();
        assertThat(judgement.failovers())
                .containsOnly(Map.entry(
                        FaultKind.KILL, new Spread(1, 700_000_000L, 700_000_000L, 700_000_000L, 700_000_000L)));
    }

    private static Event seen(long at, long height, long epoch, String producer) {
        return new Event.BlockSeen(
                at, "r", "n3", new Held(height, "h" + height, "h" + (height - 1), epoch, producer, 0, List.of()));
    }

    @Test
    void aMillionEventsAreJudgedInSeconds() {
        List<Event> events = SyntheticRun.events(1, Duration.ofMinutes(30), 20, 480_000);
        assertThat(events).hasSizeGreaterThan(900_000);
        // The thread's own time: how busy the machine is does not count.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        Judgement judgement = judge(events);
        long tookNanos = threads.getCurrentThreadCpuTime() - before;
        assertThat(judgement.verdict())
                .as("%s %s", judgement.violations(), judgement.doubts())
                .isEqualTo(Verdict.PASS);
        System.out.println("judged " + events.size() + " events in " + tookNanos / 1_000_000 + " ms");
        assertThat(tookNanos).isLessThan(20 * SECOND);
    }
}
