package dev.baton.chaos;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import dev.baton.chaos.history.Setting;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.Pace;
import dev.baton.chaos.plan.Plan;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.plan.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The history of a run that never was: a correct cluster under a real schedule of faults, with times that look like
 * those of real runs. Tests break it in one place each.
 */
public final class SyntheticRun {

    private static final long MILLI = 1_000_000L;
    private static final long BLOCK_NANOS = 200 * MILLI;
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<String> ENGINES = List.of("redis-1", "redis-2", "redis-3");
    /** What takes the seat from whoever it strikes. */
    private static final Set<FaultKind> UNSEATS = EnumSet.of(
            FaultKind.KILL, FaultKind.PAUSE, FaultKind.PARTITION, FaultKind.HANDOFF, FaultKind.ROLLING_RESTART);

    private final Random random;
    private final Setting setting;
    private final Plan plan;
    private final List<Event> events = new ArrayList<>();
    private final List<Term> terms = new ArrayList<>();
    private final List<Held> blocks = new ArrayList<>();
    private final List<Long> blockNanos = new ArrayList<>();

    private record Term(long fromNanos, long toNanos, long epoch, String holder) {}

    private record Sent(long op, String client, String node, Request request, long atNanos) {}

    private SyntheticRun(long seed, Duration lasting, int perMinute) {
        random = new Random(seed);
        setting = new Setting(
                seed,
                "redis",
                "sequencer",
                NODES,
                ENGINES,
                lasting.toNanos(),
                "4f2c9e1",
                "2 cores, 24 GB, Linux 6.1, JDK 21.0.8",
                "./baton chaos --authority redis --duty sequencer --seed " + seed + " --for " + lasting.toSeconds()
                        + "s",
                "2026-01-01T12:00:00Z");
        plan = Plan.of(
                seed,
                lasting,
                EnumSet.allOf(FaultKind.class),
                Topology.of("redis", NODES, ENGINES),
                new Pace(perMinute, Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(8)));
    }

    /** The events of a run with so many faults a minute and so many operations. */
    public static List<Event> events(long seed, Duration lasting, int perMinute, int operations) {
        SyntheticRun run = new SyntheticRun(seed, lasting, perMinute);
        run.events.add(new Event.Begun(0, run.setting, run.plan.faults()));
        run.seatTerms();
        List<Sent> sent = run.requests(operations);
        run.produce(sent);
        run.sample();
        run.read();
        run.events.sort(Comparator.comparingLong(Event::atNanos));
        return List.copyOf(run.events);
    }

    /** A short clean run. */
    public static List<Event> small() {
        return events(7, Duration.ofSeconds(20), 20, 400);
    }

    private long millis(int least, int most) {
        return (least + random.nextInt(most - least + 1)) * MILLI + random.nextInt(1_000_000);
    }

    private void seatTerms() {
        String leader = NODES.get(0);
        long epoch = 1;
        long from = 300 * MILLI;
        for (PlannedFault fault : plan.faults()) {
            String holder = leader;
            List<String> targets = fault.targets().stream()
                    .map(each -> each.equals(PlannedFault.LEADER) ? holder : each)
                    .toList();
            events.add(new Event.FaultBegan(fault.atNanos(), fault.id(), fault.kind(), targets, fault.parameters()));
            events.add(new Event.FaultEnded(fault.endNanos() + millis(5, 60), fault.id()));
            boolean unseats = UNSEATS.contains(fault.kind()) && (targets.isEmpty() || targets.contains(leader));
            if (unseats && fault.atNanos() > from) {
                terms.add(new Term(from, fault.atNanos(), epoch, leader));
                leader = NODES.get((NODES.indexOf(leader) + 1 + random.nextInt(2)) % 3);
                epoch += 1 + random.nextInt(3);
                from = fault.atNanos() + (fault.kind() == FaultKind.HANDOFF ? millis(20, 60) : millis(600, 2_200));
            }
        }
        terms.add(new Term(from, setting.lastingNanos(), epoch, leader));
    }

    private List<Sent> requests(int count) {
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = (long) (random.nextDouble() * (setting.lastingNanos() - 500 * MILLI));
            Request request = i % 4 == 0
                    ? new Request.Next("orders", 5, Request.Next.STRICT)
                    : new Request.Submit("tx-" + Integer.toHexString(i * 7919) + "-" + i);
            sent.add(new Sent(i + 1, "c" + (i % 8 + 1), NODES.get(random.nextInt(3)), request, at));
        }
        sent.sort(Comparator.comparingLong(Sent::atNanos));
        sent.forEach(each ->
                events.add(new Event.Invoked(each.atNanos(), each.op(), each.client(), each.node(), each.request())));
        return sent;
    }

    /** Goes from block to block; each takes what was sent before it, and what waited too long gives up. */
    private void produce(List<Sent> sent) {
        List<Sent> waiting = new ArrayList<>();
        int next = 0;
        long tokens = 0;
        for (Term term : terms) {
            for (long at = term.fromNanos(); at < term.toNanos(); at += BLOCK_NANOS) {
                long commit = at + millis(1, 9);
                while (next < sent.size() && sent.get(next).atNanos() < at - MILLI) {
                    waiting.add(sent.get(next++));
                }
                long height = blocks.size() + 1L;
                String hash = "b" + Long.toHexString(height * 0x9E3779B97F4AL + term.epoch());
                List<String> transactions = new ArrayList<>();
                for (Sent each : waiting) {
                    if (at - each.atNanos() > 1_500 * MILLI) {
                        giveUp(each);
                        continue;
                    }
                    long answered = commit + (long) (Math.exp(random.nextGaussian() * 0.8 + 1) * MILLI);
                    Answer answer = switch (each.request()) {
                        case Request.Submit s -> {
                            transactions.add(s.transaction());
                            yield new Answer.Included(height, transactions.size() - 1, hash, false);
                        }
                        case Request.Offer o -> {
                            transactions.add(o.transaction());
                            yield new Answer.Pooled();
                        }
                        case Request.Write w -> new Answer.Written(term.holder(), term.epoch());
                        case Request.Follow f -> new Answer.Recorded(term.holder(), height, hash, term.epoch());
                        case Request.Watch w -> new Answer.Made(term.holder(), term.epoch(), height);
                        case Request.Next n -> {
                            tokens += n.count();
                            yield new Answer.Issued(tokens - n.count() + 1, tokens, 1, height, term.epoch(), height);
                        }
                    };
                    events.add(new Event.Answered(answered, each.op(), answer));
                }
                waiting.clear();
                String parent =
                        blocks.isEmpty() ? "" : blocks.get(blocks.size() - 1).hash();
                blocks.add(
                        new Held(height, hash, parent, term.epoch(), term.holder(), transactions.size(), transactions));
                blockNanos.add(commit);
            }
        }
        waiting.forEach(this::giveUp);
        sent.subList(next, sent.size()).forEach(this::giveUp);
    }

    private void giveUp(Sent request) {
        boolean refused = request.op() % 3 == 0;
        events.add(new Event.Answered(
                request.atNanos() + (refused ? millis(2, 30) : 1_500 * MILLI + millis(1, 20)),
                request.op(),
                refused ? new Answer.Refused("no leader is known") : new Answer.Unknown("deadline exceeded")));
    }

    private Term termAt(long nanos) {
        Term current = terms.get(0);
        for (Term each : terms) {
            current = each.fromNanos() <= nanos ? each : current;
        }
        return current;
    }

    private void sample() {
        Map<String, List<long[]>> downs = new TreeMap<>();
        for (Event event : List.copyOf(events)) {
            if (event instanceof Event.FaultBegan began
                    && (began.kind() == FaultKind.KILL || began.kind() == FaultKind.PAUSE)) {
                long end = plan.faults().get(began.fault() - 1).endNanos() + 400 * MILLI;
                began.targets()
                        .forEach(target -> downs.computeIfAbsent(target, t -> new ArrayList<>())
                                .add(new long[] {began.atNanos(), end}));
            }
        }
        for (long at = 100 * MILLI; at < setting.lastingNanos(); at += 250 * MILLI) {
            Term term = termAt(at);
            for (String node : NODES) {
                long now = at + millis(0, 10);
                boolean down =
                        downs.getOrDefault(node, List.of()).stream().anyMatch(span -> span[0] <= now && now <= span[1]);
                long head = blockNanos.stream().filter(each -> each <= now).count();
                String standing = !node.equals(term.holder())
                        ? wasJustUnseated(node, now) ? "fenced" : "follower"
                        : now < term.toNanos() ? "leader" : "follower";
                if (now > term.toNanos() && node.equals(nextHolder(term))) {
                    standing = "promoting";
                }
                events.add(new Event.Sampled(now, node, down ? "" : standing, down ? 0 : term.epoch(), head, !down));
            }
        }
    }

    private String nextHolder(Term term) {
        int index = terms.indexOf(term) + 1;
        return index < terms.size() ? terms.get(index).holder() : term.holder();
    }

    private boolean wasJustUnseated(String node, long nanos) {
        return terms.stream()
                .anyMatch(each ->
                        each.holder().equals(node) && each.toNanos() < nanos && nanos < each.toNanos() + 1_800 * MILLI);
    }

    private void read() {
        for (String node : NODES) {
            for (int i = 0; i < blocks.size(); i++) {
                events.add(
                        new Event.BlockSeen(blockNanos.get(i) + millis(3, 40), "reader-" + node, node, blocks.get(i)));
            }
            int half = blocks.size() / 2;
            long end = setting.lastingNanos() + 2_000 * MILLI;
            events.add(new Event.FinalStore(end, node, blocks.subList(0, half)));
            events.add(new Event.FinalStore(end + 1, node, blocks.subList(half, blocks.size())));
        }
        ENGINES.forEach(engine -> events.add(new Event.FinalLedger(
                setting.lastingNanos() + 2_500 * MILLI,
                engine,
                blocks.stream()
                        .map(each -> new Held(
                                each.height(), each.hash(), each.parent(), each.epoch(), "", each.count(), List.of()))
                        .toList())));
        events.add(new Event.Ended(setting.lastingNanos() + 3_000 * MILLI, true, "the time is over"));
    }
}
