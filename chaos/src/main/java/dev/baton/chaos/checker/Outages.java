package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.FaultSpan;
import dev.baton.chaos.plan.FaultKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds when work stood still, and puts it down to faults.
 *
 * <p>Faults overlap, so this is a best guess: of the faults in force, the one that began nearest to the last commit
 * before. It is for measuring; no rule rests on it.
 */
public final class Outages {

    /** A gap is no outage unless it is this many times the usual one. */
    private static final int TIMES_THE_USUAL = 4;

    private static final long SHORTEST_NANOS = 300_000_000L;

    private Outages() {}

    public static List<Outage> of(Account account, Commits commits) {
        List<Commits.Sign> signs = commits.signs();
        if (signs.size() < 2) {
            return List.of();
        }
        long least = Math.max(SHORTEST_NANOS, TIMES_THE_USUAL * usualGapNanos(signs));
        List<Outage> outages = new ArrayList<>();
        long epoch = signs.get(0).epoch();
        long lastOfEpoch = signs.get(0).atNanos();
        for (int i = 1; i < signs.size(); i++) {
            Commits.Sign before = signs.get(i - 1);
            Commits.Sign sign = signs.get(i);
            boolean newEpoch = epoch > 0 && sign.epoch() > epoch;
            if (newEpoch || sign.atNanos() - before.atNanos() >= least) {
                long from = newEpoch ? Math.min(lastOfEpoch, before.atNanos()) : before.atNanos();
                outages.add(new Outage(from, sign.atNanos(), newEpoch, cause(account.faults(), from, sign.atNanos())));
            }
            epoch = Math.max(epoch, sign.epoch());
            if (sign.epoch() == epoch) {
                lastOfEpoch = sign.atNanos();
            }
        }
        return withoutRepeats(outages);
    }

    /** A client's answer may come before the reader that tells the new epoch: one outage, not two. */
    private static List<Outage> withoutRepeats(List<Outage> outages) {
        List<Outage> result = new ArrayList<>();
        for (Outage each : outages) {
            Outage last = result.isEmpty() ? null : result.get(result.size() - 1);
            if (last != null && each.newEpoch() && !last.newEpoch() && each.fromNanos() <= last.fromNanos()) {
                result.set(result.size() - 1, new Outage(last.fromNanos(), last.toNanos(), true, last.cause()));
            } else {
                result.add(each);
            }
        }
        return List.copyOf(result);
    }

    private static long usualGapNanos(List<Commits.Sign> signs) {
        // By heights, not by answers: many clients make the gaps between answers look small.
        List<Long> gaps = new ArrayList<>();
        long height = 0;
        long at = 0;
        for (Commits.Sign each : signs) {
            if (each.height() > height) {
                if (height > 0) {
                    gaps.add(each.atNanos() - at);
                }
                height = each.height();
                at = each.atNanos();
            }
        }
        if (gaps.isEmpty()) {
            return 0;
        }
        Collections.sort(gaps);
        return gaps.get(gaps.size() / 2);
    }

    private static Optional<Outage.Cause> cause(List<FaultSpan> faults, long from, long to) {
        Optional<FaultSpan> nearest = Optional.empty();
        for (FaultSpan each : faults) {
            if (each.touches(from, to)
                    && (nearest.isEmpty()
                            || Math.abs(each.beganNanos() - from)
                                    < Math.abs(nearest.get().beganNanos() - from))) {
                nearest = Optional.of(each);
            }
        }
        return nearest.map(each -> new Outage.Cause(each.id(), each.kind(), to - Math.max(from, each.beganNanos())));
    }

    /** How long each kind of fault kept clients waiting, where it did at all. */
    public static Map<FaultKind, Spread> failovers(List<Outage> outages) {
        Map<FaultKind, List<Long>> waits = new EnumMap<>(FaultKind.class);
        for (Outage each : outages) {
            each.cause()
                    .ifPresent(cause -> waits.computeIfAbsent(cause.kind(), k -> new ArrayList<>())
                            .add(cause.waitedNanos()));
        }
        Map<FaultKind, Spread> spreads = new EnumMap<>(FaultKind.class);
        waits.forEach((kind, nanos) -> spreads.put(kind, Spread.of(nanos)));
        return spreads;
    }

    /** The longest time without a commit. */
    public static long longestNanos(Commits commits) {
        long[] times = commits.signs().stream().mapToLong(Commits.Sign::atNanos).toArray();
        Arrays.sort(times);
        long longest = 0;
        for (int i = 1; i < times.length; i++) {
            longest = Math.max(longest, times[i] - times[i - 1]);
        }
        return longest;
    }
}
