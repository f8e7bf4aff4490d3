package dev.baton.authority.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.PageLimit;
import dev.baton.authority.redis.protocol.Acceptor;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Seated;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;

/**
 * The scripts on a real Redis and the rules in Java, given the same asks. Each choice comes from a random number, and
 * from what the node has: so entries often follow, repeat or contradict what is there.
 */
final class Twins {

    private static final Duration SHORT = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofHours(3);
    private static final Duration LONGER_THAN_EVERY_LEASE = Duration.ofHours(4);
    private static final PageLimit EVERYTHING = new PageLimit(1000, 1 << 20);
    private static final List<MemberId> MEMBERS =
            List.of(new MemberId("00000000000000aa"), new MemberId("00000000000000bb"));
    private static final MemberSet PAIR =
            MemberSet.of(new Member(MEMBERS.get(0), "a:1"), new Member(MEMBERS.get(1), "b:2"));
    private static final MemberSet ALONE = MemberSet.of(new Member(MEMBERS.get(0), "a:1"));

    private final ScriptRunner scripts;
    private final SeatId seat;
    private final Random random;

    private final Acceptor rules = new Acceptor();
    private final List<String> story = new ArrayList<>();
    private long nowMillis;
    private int restarts;

    Twins(ScriptRunner scripts, SeatId seat, Random random) {
        this.scripts = scripts;
        this.seat = seat;
        this.random = random;
    }

    /** One thing happens to both, and both must be the same afterwards. Answers what was answered, if it was an ask. */
    Optional<Answer> step() {
        int chance = random.nextInt(100);
        if (isBlank() && chance < 60) {
            return Optional.of(ask(admit()));
        }
        if (chance < 4) {
            restart();
        } else if (chance < 5) {
            forgetEverything();
        } else if (chance < 10) {
            letEveryLeaseEnd();
        } else {
            return Optional.of(ask(anyAsk()));
        }
        compareState();
        return Optional.empty();
    }

    private Ask anyAsk() {
        int kind = random.nextInt(100);
        if (kind < 22) {
            return promote();
        } else if (kind < 60) {
            return new Ask.Append(member(), seating(), entry(), oneOf(List.of(SHORT, LONG, Duration.ZERO)));
        } else if (kind < 66) {
            return new Ask.Rebase(member(), seating(), base(), set());
        } else if (kind < 74) {
            return new Ask.Resign(member(), termOrSeated(), random.nextBoolean());
        } else if (kind < 80) {
            return new Ask.Trim(member(), term(), nearHead());
        } else if (kind < 82) {
            return new Ask.Peek(member());
        } else if (kind < 88) {
            return new Ask.Range(member(), random.nextBoolean() ? nearHead() : oldest(), limit());
        } else if (kind < 96) {
            return new Ask.Recognise(fsync());
        }
        return admit();
    }

    private Answer ask(Ask ask) {
        story.add(ask.toString());
        Answer expected = rules.take(ask, nowMillis, modelRun());
        Answer actual = scripts.take(seat, asTheServerKnowsIt(ask));
        assertThat(rounded(actual)).as(() -> told("answer")).isEqualTo(rounded(expected));
        compareState();
        return expected;
    }

    /** What the model calls its present run has another name there. */
    private Ask asTheServerKnowsIt(Ask ask) {
        return ask instanceof Ask.Admit admit && admit.run().equals(modelRun())
                ? new Ask.Admit(
                        admit.member(),
                        admit.insteadOf(),
                        admit.fsync(),
                        scripts.run(),
                        admit.seating(),
                        admit.governing(),
                        admit.base())
                : ask;
    }

    private void compareState() {
        SortedMap<String, String> expected = rules.describe();
        SortedMap<String, String> actual = scripts.describe(seat);
        if (!expected.isEmpty()) {
            expected.put("cluster", seat.cluster().value());
            expected.put("seat-name", seat.seat().value());
            expected.put("era", seat.era().toString());
            expected.compute("run", (field, run) -> Boolean.toString(modelRun().equals(run)));
        }
        assertThat(actual).as(() -> told("state")).isEqualTo(expected);
    }

    private String told(String what) {
        return what + " after\n  " + String.join("\n  ", story) + "\n";
    }

    // What happens to a node besides being asked.

    /** The real process lives on; that its run id is another one is played by writing another into the state. */
    private void restart() {
        story.add("restart");
        restarts++;
        byte[] state = ScriptRunner.key(SeatKeys.of(seat).state());
        if (!isBlank()) {
            scripts.redis().hset(state, ScriptRunner.key("run"), ScriptRunner.key("0123456789abcdef"));
        }
    }

    private String modelRun() {
        return "run-" + restarts;
    }

    private void forgetEverything() {
        story.add("forget everything");
        SeatKeys.of(seat).all().forEach(key -> scripts.redis().del(ScriptRunner.key(key)));
        rules.recall(new Acceptor());
    }

    private void letEveryLeaseEnd() {
        story.add("let every lease end");
        scripts.redis().del(ScriptRunner.key(SeatKeys.of(seat).seat()));
        nowMillis += LONGER_THAN_EVERY_LEASE.toMillis();
        rules.take(new Ask.Peek(MEMBERS.get(0)), nowMillis, modelRun());
    }

    // What is asked.

    private Ask promote() {
        Optional<Term> insteadOf = oneOf(List.of(Optional.<Term>empty(), seated(), seated(), Optional.of(term())));
        Optional<Head> onlyAt = oneOf(List.of(
                Optional.<Head>empty(),
                Optional.<Head>empty(),
                Optional.of(head()),
                Optional.of(new Head(nearHead(), head().hash())),
                Optional.of(new Head(head().height(), hash("elsewhere")))));
        return new Ask.Promote(member(), seating(), oneOf(List.of(SHORT, LONG)), insteadOf, onlyAt);
    }

    private Ask admit() {
        Optional<Seating> by = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(seating());
        Optional<MemberId> insteadOf = random.nextBoolean() ? Optional.empty() : Optional.of(member());
        Optional<Entry> base = random.nextInt(3) == 0 ? Optional.of(base()) : Optional.empty();
        String run = random.nextInt(8) == 0 ? "an earlier run" : modelRun();
        return new Ask.Admit(oneOf(MEMBERS), insteadOf, fsync(), run, by, set(), base);
    }

    private MemberId member() {
        String actual = rules.describe().get("member");
        return actual == null || random.nextInt(12) == 0 ? oneOf(MEMBERS) : new MemberId(actual);
    }

    private Fsync fsync() {
        return random.nextInt(3) == 0 ? Fsync.LATER : Fsync.ALWAYS;
    }

    private MemberSet set() {
        return oneOf(List.of(PAIR, ALONE));
    }

    private Seating seating() {
        return new Seating(term(), oneOf(List.of("", "a:1", "b 2")));
    }

    private Term term() {
        return random.nextInt(4) == 0 ? termOrSeated() : new Term(epoch(), holder());
    }

    private Term termOrSeated() {
        return random.nextBoolean() ? seated().orElseGet(() -> new Term(epoch(), holder())) : promisedTerm();
    }

    private Term promisedTerm() {
        String[] holder = rules.describe().getOrDefault("promisedTo", "").split(" ", 2);
        Epoch promised = promised();
        return holder.length < 2 || promised.equals(Epoch.NONE)
                ? new Term(epoch(), holder())
                : new Term(promised, new Holder(new NodeId(holder[0]), Incarnation.parse(holder[1])));
    }

    /** Near what was promised; and now and then so high that numbers must not be compared as texts or floats. */
    private Epoch epoch() {
        if (random.nextInt(300) == 0) {
            return new Epoch(Epoch.MAX_VALUE - random.nextInt(2));
        }
        long epoch = promised().value() + oneOf(List.of(-1, 0, 0, 0, 1, 1, 1, 2, 7));
        return new Epoch(Math.clamp(epoch, 1, Epoch.MAX_VALUE));
    }

    private Holder holder() {
        return new Holder(new NodeId(oneOf(List.of("n1", "n2"))), new Incarnation(random.nextInt(2) - 1L));
    }

    /** Something that follows, repeats, replaces or contradicts what is there. */
    private Entry entry() {
        List<Entry> ledger = ledger();
        Entry any = ledger.isEmpty() ? after(Head.GENESIS) : oneOf(ledger);
        int kind = random.nextInt(20);
        if (kind < 10) {
            return after(head());
        } else if (kind < 12) {
            return any;
        } else if (kind < 13 && !ledger.isEmpty()) {
            return ledger.getLast();
        } else if (kind < 17 && !ledger.isEmpty()) {
            Entry tip = ledger.getLast();
            return entry(tip.height(), tip.parent());
        } else if (kind < 18) {
            return entry(any.height(), any.parent());
        } else if (kind < 19) {
            return entry(above(nearHead()), head().hash());
        }
        return entry(above(head().height()), hash("elsewhere"));
    }

    private Entry base() {
        List<Entry> ledger = ledger();
        if (!ledger.isEmpty() && random.nextInt(3) == 0) {
            return oneOf(ledger);
        }
        return entry(above(nearHead()), hash("base"));
    }

    private Entry after(Head head) {
        return entry(head.height().next(), head.hash());
    }

    private Entry entry(Height height, Hash parent) {
        List<Fact> facts = random.nextInt(4) == 0 ? List.of(set().asFact()) : List.of();
        String payload = oneOf(List.of("", "x", "payload of some length"));
        return Entry.of(seat, height, parent, new Epoch(1 + random.nextInt(2)), facts, Bytes.utf8(payload));
    }

    private Height nearHead() {
        return new Height(Math.max(0, head().height().value() + random.nextInt(7) - 4));
    }

    private Height oldest() {
        return sight().map(Sight::oldest).orElse(Height.FIRST);
    }

    private static Height above(Height height) {
        return height.next();
    }

    private PageLimit limit() {
        return new PageLimit(1 + random.nextInt(12), oneOf(List.of(1, 22, 40, 1000)));
    }

    private static Hash hash(String text) {
        return Hash.sha256(Bytes.utf8(text));
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    // What the node has, by the rules in Java.

    private boolean isBlank() {
        return rules.describe().isEmpty();
    }

    private Epoch promised() {
        return new Epoch(Long.parseLong(rules.describe().getOrDefault("promised", "0")));
    }

    private Optional<Term> seated() {
        return sight().flatMap(Sight::seat).map(seated -> seated.seating().term());
    }

    private Head head() {
        return sight().map(Sight::head).orElse(Head.GENESIS);
    }

    private Optional<Sight> sight() {
        return entries().map(Answer.Entries::sight);
    }

    private List<Entry> ledger() {
        return entries().map(Answer.Entries::entries).orElse(List.of());
    }

    private Optional<Answer.Entries> entries() {
        SortedMap<String, String> known = rules.describe();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Ask everything = new Ask.Range(
                new MemberId(String.valueOf(known.get("member"))),
                new Height(Long.parseLong(known.getOrDefault("oldest", "1"))),
                EVERYTHING);
        Acceptor copy = new Acceptor();
        copy.recall(rules);
        return copy.take(everything, nowMillis, String.valueOf(known.get("run"))) instanceof Answer.Entries entries
                ? Optional.of(entries)
                : Optional.empty();
    }

    // Time passes a little between the two.

    private static Answer rounded(Answer answer) {
        return switch (answer) {
            case Answer.Granted(Sight before, Optional<Entry> tip) -> new Answer.Granted(rounded(before), tip);
            case Answer.Held(Seating by, Duration left, Epoch promised) -> new Answer.Held(by, rounded(left), promised);
            case Answer.Seen(Sight sight) -> new Answer.Seen(rounded(sight));
            case Answer.Entries(List<Entry> entries, Sight sight) -> new Answer.Entries(entries, rounded(sight));
            default -> answer;
        };
    }

    private static Sight rounded(Sight sight) {
        return new Sight(
                sight.member(),
                sight.promised(),
                sight.open(),
                sight.ended(),
                sight.seat().map(seated -> new Seated(seated.seating(), rounded(seated.left()))),
                sight.tip(),
                sight.governing(),
                sight.oldest());
    }

    private static Duration rounded(Duration left) {
        return Duration.ofHours(left.plusMinutes(30).toHours());
    }
}
