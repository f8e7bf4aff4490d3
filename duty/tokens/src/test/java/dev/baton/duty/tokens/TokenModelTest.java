package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that lead in turn, fail in every way and come back, against an oracle that only writes down who got what.
 *
 * <p>INV-12: no token twice. INV-13 and INV-15: a request that begins after another was answered gets higher tokens, in
 * leased namespaces too, because here all clocks are one. INV-14: one id, one range. And the revision never decreases.
 */
class TokenModelTest {

    private static final TokenSettings SETTINGS = new TokenSettings(true, 50, 30, 40, 12, 20, 16, 7, Optional.empty());

    private static final List<String> STRICT = List.of("orders", "invoices", "few", "odd", "voucher/0", "voucher/1");
    private static final List<String> LEASED = List.of("codes", "stamps");

    /** Who got what. */
    private static final class Oracle {
        private final Map<String, Set<Long>> handed = new HashMap<>();
        private final Map<String, Long> highest = new HashMap<>();
        private final Map<RequestId, String> ranges = new HashMap<>();
        private long revision;
        private int answered;

        /** What must be lower than anything that a request beginning now gets. */
        long floor(String namespace) {
            return highest.getOrDefault(namespace, 0L);
        }

        long revision() {
            return revision;
        }

        void told(Ask ask, Answer answer, long floor, long revisionThen, boolean remembersIds) {
            answered++;
            if (!remembersIds && answer instanceof Answer.Refused(Refusal reason, String why)) {
                assertThat(reason).describedAs(why).isNotEqualTo(Refusal.FORGOTTEN); // by whom? no entry tells of it
            }
            if (!(answer instanceof Answer.Handed tokens)) {
                return;
            }
            assertThat(tokens.revision()).describedAs("revision of %s", tokens).isGreaterThanOrEqualTo(revisionThen);
            revision = Math.max(revision, tokens.revision());
            if (remembersIds && ask.id().isPresent()) {
                String range = tokens.namespace() + " " + tokens.start() + " " + tokens.end();
                String before = ranges.putIfAbsent(ask.id().get(), range);
                assertThat(before == null ? range : before)
                        .describedAs("INV-14: %s", ask)
                        .isEqualTo(range);
                if (before != null) {
                    assertThat(tokens.duplicate()).isTrue();
                    return;
                }
            } else if (tokens.duplicate()) {
                return;
            }
            long token = tokens.start();
            for (long i = 0; i < ask.count(); i++, token += tokens.step()) {
                assertThat(handed.computeIfAbsent(group(ask.namespace()), name -> new HashSet<>())
                                .add(token))
                        .describedAs("INV-12: token %s of %s", token, ask.namespace())
                        .isTrue();
            }
            assertThat(tokens.end()).isEqualTo(token - tokens.step() + 1);
            if (!tokens.duplicate()) { // first answered as a retry of one that nobody knew of: its place is older
                assertThat(tokens.start())
                        .describedAs("INV-13, INV-15: %s", tokens)
                        .isGreaterThan(floor);
            }
            highest.merge(ask.namespace(), tokens.end() - 1, Math::max);
        }

        /** Shards share their tokens. */
        private static String group(String namespace) {
            return namespace.startsWith("voucher/") ? "voucher" : namespace;
        }
    }

    private static final class World {
        private final Random random;
        private final HandLedger ledger = new HandLedger();
        private final Oracle oracle = new Oracle();
        private final List<Ask> asked = new ArrayList<>();
        private final Map<HandNode, Long> zombies = new HashMap<>();
        private int nodes;
        private int asks;
        private long sequence;
        private HandNode holder;
        private @Nullable Entry proposed;

        World(long seed) {
            random = new Random(seed);
            holder = newNode();
            holder.lead(Ending.NONE);
            holder.pulse();
            makeNamespaces();
        }

        private HandNode newNode() {
            return new HandNode("n" + ++nodes, ledger, SETTINGS);
        }

        private void makeNamespaces() {
            holder.create(HandNode.spec("few", 5, 1, 200));
            holder.create(HandNode.spec("odd", 1, 2, Long.MAX_VALUE - 1));
            holder.create(HandNode.sharded("voucher", 2));
            for (String leased : LEASED) {
                holder.create(new NamespaceSpec(
                        leased,
                        Guarantee.LEASED,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        leased.equals("stamps") ? OptionalLong.of(500) : OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty()));
            }
            holder.pulse();
        }

        void step() {
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3, 4, 5, 6 -> ask(holder);
                case 7 -> freeze();
                case 8 -> propose();
                case 9, 10, 11, 12, 13 -> commitAndRelease();
                case 14 -> changeHolder();
                case 15 -> zombies.keySet().forEach(this::ask);
                case 16 -> pass(random.nextLong(HandNode.LEASE.toNanos()));
                case 17 -> compareWithRebuilt();
                case 18 -> trim();
                default -> holder.create(HandNode.spec("made-" + random.nextInt(5), Guarantee.STRICT));
            }
        }

        private void ask(HandNode at) {
            Ask ask = nextAsk();
            asks++;
            long floor = oracle.floor(ask.namespace());
            long revision = oracle.revision();
            boolean remembersIds = !LEASED.contains(ask.namespace());
            at.duty.next(ask, answer -> oracle.told(ask, answer, floor, revision, remembersIds));
        }

        private Ask nextAsk() {
            if (!asked.isEmpty() && random.nextInt(4) == 0) {
                Ask retry = asked.get(Math.max(0, asked.size() - 1 - random.nextInt(30)));
                return random.nextInt(8) > 0
                        ? retry
                        : new Ask(retry.namespace(), retry.count() + 1, retry.id(), retry.acceptStep());
            }
            List<String> from = random.nextInt(3) == 0 ? LEASED : STRICT;
            Optional<RequestId> id = random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(new RequestId("client-" + random.nextInt(4), ++sequence));
            Ask ask = new Ask(from.get(random.nextInt(from.size())), 1 + random.nextInt(6), id, random.nextBoolean());
            if (id.isPresent()) {
                asked.add(ask);
            }
            return ask;
        }

        private void freeze() {
            holder.duty.freeze(STRICT.get(random.nextInt(STRICT.size())), random.nextInt(3) == 0, changed -> {});
            holder.duty.freeze(LEASED.get(random.nextInt(LEASED.size())), random.nextInt(3) == 0, changed -> {});
        }

        /** A draft that may never be offered to the engine: the next one takes its place. */
        private void propose() {
            proposed = holder.propose();
        }

        private void commitAndRelease() {
            Entry entry = proposed == null ? holder.propose() : proposed;
            proposed = null;
            ledger.commit(entry);
            holder.release(entry);
            if (random.nextInt(10) == 0) {
                holder.release(entry);
            }
        }

        private void changeHolder() {
            if (random.nextBoolean()) { // committed, but the holder never hears of it
                ledger.commit(proposed == null ? holder.propose() : proposed);
            }
            proposed = null;
            HandNode old = holder;
            Ending ended = List.of(Ending.RESIGNED, Ending.HANDED_OFF, Ending.LAPSED, Ending.REPLACED)
                    .get(random.nextInt(4));
            switch (ended) {
                case RESIGNED -> old.stepDown("resigned");
                case HANDED_OFF -> {
                    old.tenure().quiet = true;
                    zombies.put(old, ledger.nanos.get() + HandNode.LEASE.toNanos());
                }
                default -> zombies.put(old, ledger.nanos.get() + HandNode.LEASE.toNanos());
            }
            if (ended == Ending.RESIGNED && random.nextInt(4) == 0) {
                ledger.skipEpochs(1);
            }
            holder = newNode();
            holder.lead(ended);
            holder.pulse();
        }

        /** Whoever was replaced without knowing it acts until its lease is over, by the clock. */
        private void pass(long passedNanos) {
            ledger.nanos.addAndGet(passedNanos);
            zombies.entrySet().removeIf(zombie -> {
                boolean isOver = ledger.nanos.get() - zombie.getValue() >= 0;
                if (isOver) {
                    zombie.getKey().stepDown("the lease ran out");
                }
                return isOver;
            });
        }

        private void compareWithRebuilt() {
            if (holder.tenure().head().equals(ledger.head())) {
                HandNode rebuilt = newNode().follow();
                assertThat(rebuilt.duty.readiness().isReady())
                        .describedAs("%s", rebuilt.duty.readiness())
                        .isTrue();
                assertThat(rebuilt.duty.checkpoint()).isEqualTo(holder.duty.checkpoint());
            }
        }

        /** As the driver does: nothing from the first part of the newest complete checkpoint on. */
        private void trim() {
            Height first = Height.ZERO;
            for (Entry entry : ledger.entries()) {
                for (Fact fact : entry.facts()) {
                    if (fact instanceof Fact.Checkpoint part && part.parts() == 1) {
                        first = entry.height();
                    }
                }
            }
            ledger.trim(first);
        }

        void end() {
            ledger.nanos.addAndGet(2 * HandNode.LEASE.toNanos());
            pass(0);
            proposed = null;
            for (int i = 0; i < 10; i++) {
                holder.pulse();
            }
            compareWithRebuilt();
            holder.stepDown("end");
            assertThat(oracle.answered)
                    .describedAs("each request is answered once")
                    .isEqualTo(asks);
        }
    }

    @Property(tries = 300)
    void whateverHappensEveryTokenIsHandedOutOnceAndInOrder(@ForAll long seed) {
        World world = new World(seed);
        for (int i = 0; i < 400; i++) {
            world.step();
        }
        world.end();
    }
}
