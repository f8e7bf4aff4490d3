package dev.baton.chaos.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The events of a run, put together: requests with their answers, faults with their ends, pieces of stores joined.
 *
 * @param operations by time of invocation
 * @param blocks what readers saw, by time
 * @param faults those that began, by time
 * @param failedFaults those that could not be done, or not be undone
 * @param flaws what cannot be: an answer to nothing, two answers to one request; the harness is at fault then
 */
public record Account(
        Optional<Event.Begun> begun,
        List<Operation> operations,
        List<Event.BlockSeen> blocks,
        Map<String, Holding> stores,
        Map<String, Holding> ledgers,
        List<Event.FinalTokens> tokens,
        List<Event.FinalPool> pools,
        List<Event.FinalRows> rows,
        List<FaultSpan> faults,
        List<Event.FaultFailed> failedFaults,
        List<Event.Sampled> samples,
        Optional<Event.Ended> ended,
        List<String> flaws,
        long lastNanos) {

    /** Puts the events together, in whatever order they were written. */
    public static Account of(List<Event> events) {
        Collector collector = new Collector();
        events.forEach(collector::take);
        return collector.account();
    }

    /** What the run was made of, if the journal tells. */
    public Optional<Setting> setting() {
        return begun.map(Event.Begun::setting);
    }

    /** Faults that did not even begin. */
    public List<Event.FaultFailed> faultsNotDone() {
        Set<Integer> begun = faults.stream().map(FaultSpan::id).collect(Collectors.toSet());
        return failedFaults.stream()
                .filter(each -> !begun.contains(each.fault()))
                .toList();
    }

    private static final class Collector {
        private final List<Event.Invoked> invocations = new ArrayList<>();
        private final Map<Long, Event.Answered> answers = new HashMap<>();
        private final List<Event.BlockSeen> blocks = new ArrayList<>();
        private final Map<String, List<Event.FinalStore>> stores = new TreeMap<>();
        private final Map<String, List<Event.FinalLedger>> ledgers = new TreeMap<>();
        private final List<Event.FinalTokens> tokens = new ArrayList<>();
        private final List<Event.FinalPool> pools = new ArrayList<>();
        private final List<Event.FinalRows> rows = new ArrayList<>();
        private final List<Event.FaultBegan> faults = new ArrayList<>();
        private final Map<Integer, Long> faultEnds = new HashMap<>();
        private final List<Event.FaultFailed> failures = new ArrayList<>();
        private final List<Event.Sampled> samples = new ArrayList<>();
        private final List<String> flaws = new ArrayList<>();
        private Optional<Event.Begun> begun = Optional.empty();
        private Optional<Event.Ended> ended = Optional.empty();
        private long lastNanos;

        void take(Event event) {
            lastNanos = Math.max(lastNanos, event.atNanos());
            switch (event) {
                case Event.Begun e -> begun = Optional.of(e);
                case Event.Invoked e -> invocations.add(e);
                case Event.Answered e -> {
                    if (answers.putIfAbsent(e.op(), e) != null) {
                        flaws.add("operation " + e.op() + " was answered twice");
                    }
                }
                case Event.FaultBegan e -> faults.add(e);
                case Event.FaultEnded e -> faultEnds.merge(e.fault(), e.atNanos(), Math::max);
                case Event.FaultFailed e -> failures.add(e);
                case Event.Sampled e -> samples.add(e);
                case Event.BlockSeen e -> blocks.add(e);
                case Event.FinalStore e ->
                    stores.computeIfAbsent(e.source(), s -> new ArrayList<>()).add(e);
                case Event.FinalLedger e ->
                    ledgers.computeIfAbsent(e.source(), s -> new ArrayList<>()).add(e);
                case Event.FinalTokens e -> tokens.add(e);
                case Event.FinalPool e -> pools.add(e);
                case Event.FinalRows e -> rows.add(e);
                case Event.Ended e -> ended = Optional.of(e);
            }
        }

        Account account() {
            blocks.sort(Comparator.comparingLong(Event::atNanos));
            samples.sort(Comparator.comparingLong(Event::atNanos));
            Map<String, Holding> finalStores = new TreeMap<>();
            stores.forEach((source, pieces) -> finalStores.put(
                    source,
                    holding(
                            source,
                            pieces.stream().mapToLong(Event::atNanos).min().orElse(0),
                            pieces.stream()
                                    .flatMap(piece -> piece.blocks().stream())
                                    .toList())));
            Map<String, Holding> finalLedgers = new TreeMap<>();
            ledgers.forEach((source, pieces) -> finalLedgers.put(
                    source,
                    holding(
                            source,
                            pieces.stream().mapToLong(Event::atNanos).min().orElse(0),
                            pieces.stream()
                                    .flatMap(piece -> piece.blocks().stream())
                                    .toList())));
            return new Account(
                    begun,
                    operations(),
                    Collections.unmodifiableList(blocks),
                    finalStores,
                    finalLedgers,
                    List.copyOf(tokens),
                    List.copyOf(pools),
                    List.copyOf(rows),
                    spans(),
                    List.copyOf(failures),
                    Collections.unmodifiableList(samples),
                    ended,
                    Collections.unmodifiableList(flaws),
                    lastNanos);
        }

        private static Holding holding(String source, long readNanos, List<Held> blocks) {
            return new Holding(
                    source,
                    readNanos,
                    blocks.stream()
                            .sorted(Comparator.comparingLong(Held::height))
                            .toList());
        }

        private List<Operation> operations() {
            List<Operation> operations = new ArrayList<>(invocations.size());
            for (Event.Invoked each : invocations) {
                Event.Answered answer = answers.remove(each.op());
                operations.add(new Operation(
                        each.op(),
                        each.client(),
                        each.node(),
                        each.request(),
                        each.atNanos(),
                        answer == null ? Operation.NEVER : answer.atNanos(),
                        answer == null ? new Answer.Unknown("no answer was recorded") : answer.answer()));
                if (answer != null && answer.atNanos() < each.atNanos()) {
                    flaws.add("operation " + each.op() + " was answered before it was invoked");
                }
            }
            answers.keySet()
                    .forEach(op -> flaws.add("operation " + op + " was answered but never invoked, or twice invoked"));
            operations.sort(Comparator.comparingLong(Operation::invokedNanos));
            return Collections.unmodifiableList(operations);
        }

        private List<FaultSpan> spans() {
            Map<Integer, String> whys = new HashMap<>();
            failures.forEach(each -> whys.putIfAbsent(each.fault(), each.why()));
            return faults.stream()
                    .sorted(Comparator.comparingLong(Event::atNanos))
                    .map(each -> new FaultSpan(
                            each.fault(),
                            each.kind(),
                            each.targets(),
                            each.parameters(),
                            each.atNanos(),
                            faultEnds.getOrDefault(each.fault(), FaultSpan.NEVER),
                            Optional.ofNullable(whys.get(each.fault()))))
                    .toList();
        }
    }
}
