package dev.baton.cli.up;

import dev.baton.core.timing.SeatTimings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The times of a seat on servers outside of the nodes. There the lease decides how long a silent holder is waited for. */
final class ServerTimes {

    private static final Duration LONG_INTERVAL = Duration.ofMillis(500);
    private static final Duration SHORT_DELAY = Duration.ofSeconds(2);
    private static final List<Duration> SHORT_TIMEOUTS =
            List.of(Duration.ofMillis(800), Duration.ofMillis(700), Duration.ofMillis(600));

    /** One block may be missed: 2 s would leave no room for that when blocks come each second. */
    private static final Duration LONG_DELAY = Duration.ofSeconds(3);

    private static final Duration LONG_TIMEOUT = Duration.ofMillis(700);

    private ServerTimes() {}

    /** The shortest of our takeover delays that the formula allows; the computed one if it allows neither. */
    static SeatTimings at(Duration interval) {
        if (interval.compareTo(LONG_INTERVAL) < 0) {
            return SHORT_TIMEOUTS.stream()
                    .map(timeout -> with(interval, timeout, Optional.of(SHORT_DELAY)))
                    .filter(ServerTimes::isSafe)
                    .findFirst()
                    .orElseThrow();
        }
        SeatTimings usual = with(interval, LONG_TIMEOUT, Optional.of(LONG_DELAY));
        return isSafe(usual) ? usual : with(interval, LONG_TIMEOUT, Optional.empty());
    }

    private static SeatTimings with(Duration interval, Duration timeout, Optional<Duration> delay) {
        SeatTimings otherwise = SeatTimings.everyInterval(interval);
        return new SeatTimings(
                interval,
                timeout,
                otherwise.policy(),
                otherwise.stop(),
                otherwise.margin(),
                otherwise.clockRateBound(),
                delay);
    }

    private static boolean isSafe(SeatTimings timings) {
        return timings.faults("").isEmpty();
    }
}
