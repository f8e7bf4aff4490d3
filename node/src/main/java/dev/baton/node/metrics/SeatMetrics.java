package dev.baton.node.metrics;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.Term;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.seat.SeatObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts what the driver of one seat does. */
public final class SeatMetrics implements SeatObserver {

    private final LongSupplier nanoClock;
    private final Timer appendLatency;
    private final Counter pulsesFailed;
    private final Counter termsOpened;
    private final Counter rejectedWrites;
    private final Counter problems;
    private final Counter alarms;
    private final Counter heartbeatTimeouts;
    private final TakeoverPhases phases;
    private final LongAdder headAdvances = new LongAdder();
    private long lastHeight = -1;
    private boolean silent;
    private volatile @Nullable Tenancy tenancy;
    private volatile long lastCommitNanos;

    /** Since when this node knows that a term is in force. */
    private record Tenancy(Term term, long sinceNanos) {}

    SeatMetrics(MeterRegistry registry, String seat, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.lastCommitNanos = nanoClock.getAsLong();
        Tags tags = Tags.of("seat", seat);
        appendLatency = Timer.builder("baton_append_latency")
                .description("From offering an own entry to the engine until it was committed")
                .tags(tags)
                .serviceLevelObjectives(
                        Duration.ofNanos(500_000),
                        Duration.ofMillis(1),
                        Duration.ofNanos(1_500_000),
                        Duration.ofMillis(2),
                        Duration.ofMillis(3),
                        Duration.ofMillis(5),
                        Duration.ofMillis(7),
                        Duration.ofMillis(10),
                        Duration.ofMillis(15),
                        Duration.ofMillis(25),
                        Duration.ofMillis(35),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofSeconds(1))
                .register(registry);
        phases = new TakeoverPhases(registry, tags, nanoClock);
        pulsesFailed = counter(registry, tags, "baton_pulses_failed", "Own pulses that failed or came too late");
        termsOpened = counter(registry, tags, "baton_terms_opened", "Terms that this node opened");
        rejectedWrites = counter(
                registry,
                tags,
                "baton_rejected_writes",
                "Own entries that the engine refused because of a higher epoch");
        problems = counter(registry, tags, "baton_problems", "Failures after which the driver went on");
        alarms = counter(registry, tags, "baton_alarms", "Events that need a person");
        heartbeatTimeouts = counter(
                registry,
                tags,
                "leader_election_heartbeat_timeout",
                "Terms that ended because their holder's pulses stopped, this node's own among them");
    }

    private static Counter counter(MeterRegistry registry, Tags tags, String name, String help) {
        return Counter.builder(name).description(help).tags(tags).register(registry);
    }

    @Override
    public void stepped(Standing before, Input input, Step step) {
        phases.stepped(before, input, step);
        switch (input) {
            case Input.WorkFailed failed when isCurrent(before, failed.attempt()) -> pulsesFailed.increment();
            case Input.PulseTimedOut late when isCurrent(before, late.attempt()) -> pulsesFailed.increment();
            case Input.SeatVacated vacated when isSilence(vacated.how()) -> fellSilent();
            case Input.FencedOff ignored -> rejectedWrites.increment();
            case Input.SeatTaken taken -> inForce(taken.seating().term(), taken.nowNanos());
            case Input.Elected elected -> {
                if (isSilence(elected.predecessorEnded())) {
                    fellSilent();
                }
                inForce(elected.seating().term(), elected.nowNanos());
            }
            case Input.HeadAdvanced advanced -> advanced(advanced.head().height());
            case Input.Committed committed -> advanced(committed.entry().height());
            default -> {} // the rest changes nothing that is counted
        }
        if (before instanceof Standing.Tenured && step.next() instanceof Standing.Fenced) {
            fellSilent();
        }
        if (before instanceof Standing.Opening && step.next() instanceof Standing.Leader) {
            termsOpened.increment();
        }
    }

    /** A timer or an answer may come after its attempt is over. */
    private static boolean isCurrent(Standing standing, long attempt) {
        return standing instanceof Standing.Tenured tenured
                && tenured.tenancy().running()
                && tenured.outlook().attempts() == attempt;
    }

    private static boolean isSilence(Ending how) {
        return how == Ending.LAPSED || how == Ending.REPLACED;
    }

    /** A holder's pulses stopped. A node may hear so more than once, and counts it once until the next term. */
    private void fellSilent() {
        if (!silent) {
            silent = true;
            heartbeatTimeouts.increment();
        }
    }

    private void inForce(Term term, long nowNanos) {
        Tenancy known = tenancy;
        if (known == null || !known.term().equals(term)) {
            tenancy = new Tenancy(term, nowNanos);
            silent = false;
        }
    }

    /** The first height is where this node comes in; only what is added later is an advance. */
    private void advanced(Height height) {
        lastCommitNanos = nanoClock.getAsLong();
        if (lastHeight >= 0 && height.value() > lastHeight) {
            headAdvances.add(height.value() - lastHeight);
        }
        lastHeight = Math.max(lastHeight, height.value());
    }

    @Override
    public void committed(Entry entry, Duration latency) {
        appendLatency.record(latency);
    }

    @Override
    public void problem(String what) {
        problems.increment();
    }

    @Override
    public void alarm(String what) {
        alarms.increment();
    }

    double headAdvances() {
        return headAdvances.sum();
    }

    Duration sinceLastCommit() {
        return Duration.ofNanos(nanoClock.getAsLong() - lastCommitNanos);
    }

    /** How long the term has been in force, as far as this node has seen. */
    Optional<Duration> inForceFor(Term term) {
        Tenancy known = tenancy;
        return known == null || !known.term().equals(term)
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(nanoClock.getAsLong() - known.sinceNanos()));
    }
}
