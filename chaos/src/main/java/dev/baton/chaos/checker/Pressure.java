package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.FaultSpan;
import dev.baton.chaos.history.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * How hard the cluster was really pressed, whatever was planned.
 *
 * @param mostAtOnce how many kinds of fault were in force at one moment, at most
 * @param perMinute how many faults were done a minute
 */
public record Pressure(int mostAtOnce, double perMinute) {

    private static final double MINUTE_NANOS = 60e9;

    static Pressure of(Account account) {
        List<FaultSpan> done = account.faults().stream()
                .filter(each -> each.failed().isEmpty())
                .toList();
        return new Pressure(mostAtOnce(done), done.isEmpty() ? 0 : done.size() * MINUTE_NANOS / lastingNanos(account));
    }

    /** When the most are in force, one of them has just begun. */
    private static int mostAtOnce(List<FaultSpan> done) {
        List<FaultSpan> inForce = new ArrayList<>();
        long most = 0;
        for (FaultSpan latest : done) {
            inForce.removeIf(each -> each.endedNanos() < latest.beganNanos());
            inForce.add(latest);
            most = Math.max(
                    most, inForce.stream().map(FaultSpan::kind).distinct().count());
        }
        return (int) most;
    }

    /** A run that was cut short is measured by what there is of it. */
    static long lastingNanos(Account account) {
        long lasting = account.setting().map(Setting::lastingNanos).orElse(account.lastNanos());
        return account.ended().filter(Event.Ended::complete).isPresent()
                ? lasting
                : Math.min(lasting, account.lastNanos());
    }
}
