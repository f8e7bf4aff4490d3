package dev.baton.node.config;

import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The named sets of times that a seat can have, so that nobody must compose them. */
final class Profiles {

    static final String NAMES = "default, nervous, tank, sticky, published, published-slow";

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Below this a server, or an operator in between, that is slow to stop overlaps with its successor. */
    private static final Duration SLIM_MARGIN = Duration.ofMillis(500);

    /** Beyond this, people notice. */
    private static final Duration LONG_OUTAGE = Duration.ofSeconds(30);

    private Profiles() {}

    /** Fails with {@link IllegalArgumentException} for a name that there is not. */
    static SeatTimings of(String name, SeatTimings otherwise) {
        return switch (name) {
            case "default" -> thresholds(PulsePolicy.DEFAULT, otherwise);
            case "nervous" -> thresholds(PulsePolicy.NERVOUS, otherwise);
            case "tank" -> thresholds(PulsePolicy.TANK, otherwise);
            case "sticky" -> thresholds(PulsePolicy.STICKY, otherwise);
            // The example of the design that this follows: 1 s, twice, and a successor after 5 s.
            case "published" ->
                new SeatTimings(
                        SECOND,
                        SECOND,
                        PulsePolicy.DEFAULT,
                        Duration.ofMillis(1500),
                        Duration.ofMillis(450),
                        otherwise.clockRateBound(),
                        Optional.of(Duration.ofSeconds(5)));
            // Its advice for workloads that somebody else stops for us, such as an operator in Kubernetes.
            case "published-slow" ->
                new SeatTimings(
                        SECOND,
                        SECOND,
                        PulsePolicy.DEFAULT,
                        otherwise.stop(),
                        Duration.ofSeconds(30),
                        otherwise.clockRateBound(),
                        Optional.empty());
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static SeatTimings thresholds(PulsePolicy policy, SeatTimings otherwise) {
        return new SeatTimings(
                otherwise.interval(),
                otherwise.timeout(),
                policy,
                otherwise.stop(),
                otherwise.margin(),
                otherwise.clockRateBound(),
                otherwise.takeoverOverride());
    }

    /** What the times of a seat that is fenced by stopping a process mean, where they are at one end or the other. */
    static List<String> warnings(SeatTimings timings) {
        if (timings.margin().compareTo(SLIM_MARGIN) < 0) {
            return List.of(
                    "a margin of " + Durations.show(timings.margin()) + " beside " + Durations.show(timings.stop())
                            + " for stopping: whatever takes longer to stop meets its successor; a workload that an operator"
                            + " stops for us needs about 30s, as profile published-slow has");
        }
        if (timings.takeoverDelay().compareTo(LONG_OUTAGE) > 0) {
            return List.of("a lost holder is replaced only after " + Durations.show(timings.takeoverDelay())
                    + ", because of takeover.margin " + Durations.show(timings.margin()));
        }
        return List.of();
    }
}
