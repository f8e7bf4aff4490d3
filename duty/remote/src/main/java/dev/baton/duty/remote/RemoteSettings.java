package dev.baton.duty.remote;

import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a sequencer is treated, whatever it speaks.
 *
 * @param node beside which node it runs
 * @param callTimeout how long one question may take; no answer by then is a failure
 * @param maxHeadAge a working sequencer whose head stands still for longer is not healthy
 * @param minPeers one with fewer connections is not healthy
 * @param recordAfter how long others get to follow a head before the ledger has it
 * @param begin whether an idle sequencer that has blocks may begin an empty ledger
 * @param unverifiedAncestry whether one that cannot be asked for older blocks is believed
 */
public record RemoteSettings(
        NodeId node,
        Duration callTimeout,
        Duration maxHeadAge,
        int minPeers,
        Duration recordAfter,
        boolean begin,
        boolean unverifiedAncestry) {

    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofMillis(500);
    public static final Duration DEFAULT_MAX_HEAD_AGE = Duration.ofSeconds(10);

    public List<Fault> faults(String prefix, SeatTimings timings) {
        List<Fault> faults = new ArrayList<>();
        if (!callTimeout.isPositive() || callTimeout.compareTo(timings.timeout()) >= 0) {
            faults.add(new Fault(
                    prefix + "remote.timeout",
                    callTimeout.toString(),
                    "longer than PT0S and shorter than pulse.timeout " + timings.timeout()));
        }
        Duration stopping = callTimeout.multipliedBy(2);
        if (timings.stop().compareTo(stopping) < 0) {
            faults.add(new Fault(
                    prefix + "takeover.stop",
                    timings.stop().toString(),
                    stopping + " or longer, because that is what asking the sequencer to stop, and whether it did, may"
                            + " take"));
        }
        if (maxHeadAge.compareTo(timings.interval()) < 0) {
            faults.add(new Fault(
                    prefix + "remote.max-head-age",
                    maxHeadAge.toString(),
                    "pulse.interval " + timings.interval() + " or longer, because it is looked at that often"));
        }
        if (recordAfter.isNegative()) {
            faults.add(new Fault(prefix + "remote.record-after", recordAfter.toString(), "PT0S or longer"));
        }
        return faults;
    }
}
