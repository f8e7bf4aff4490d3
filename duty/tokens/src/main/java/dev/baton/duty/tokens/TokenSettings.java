package dev.baton.duty.tokens;

import dev.baton.core.timing.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a node serves tokens. What is recorded in the ledger wins over what is configured later.
 *
 * @param createOnFirstUse whether asking for an unknown namespace makes it, strict and with the defaults
 * @param maxCount the most tokens that one request may ask for, where the namespace says nothing
 * @param maxNamespaces how many namespaces there may be
 * @param maxWaiting how many requests may wait for a commit before further ones are refused
 * @param maxBatch how many requests one entry carries at most
 * @param leasedAhead how many tokens a leased namespace reserves at a time, to begin with; grows with use
 * @param window how many requests with ids are remembered, so that a retry is recognised
 * @param checkpointEvery after so many entries the whole state is written down again
 * @param region which of how many clusters this is, so that no two of them hand out the same token
 */
public record TokenSettings(
        boolean createOnFirstUse,
        long maxCount,
        int maxNamespaces,
        int maxWaiting,
        int maxBatch,
        long leasedAhead,
        int window,
        int checkpointEvery,
        Optional<Region> region) {

    public static final TokenSettings DEFAULT =
            new TokenSettings(true, 1_000_000, 100_000, 65_536, 16_384, 100_000, 65_536, 4_096, Optional.empty());

    /** Region {@code index} (from 0) of {@code of}: it hands out 1 + index, 1 + index + of, … */
    public record Region(int index, int of) {}

    private static final int MOST_REGIONS = 1024;
    private static final long MOST_AHEAD = 1L << 40;

    public TokenSettings withRegion(Region one) {
        return new TokenSettings(
                createOnFirstUse,
                maxCount,
                maxNamespaces,
                maxWaiting,
                maxBatch,
                leasedAhead,
                window,
                checkpointEvery,
                Optional.of(one));
    }

    /** Everything wrong with these settings; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        atLeastOne(faults, prefix + "max-count", maxCount);
        atLeastOne(faults, prefix + "max-namespaces", maxNamespaces);
        atLeastOne(faults, prefix + "max-waiting", maxWaiting);
        atLeastOne(faults, prefix + "max-batch", maxBatch);
        atLeastOne(faults, prefix + "leased-ahead", leasedAhead);
        atLeastOne(faults, prefix + "window", window);
        atLeastOne(faults, prefix + "checkpoint-every", checkpointEvery);
        if (leasedAhead > MOST_AHEAD) {
            faults.add(new Fault(
                    prefix + "leased-ahead",
                    Long.toString(leasedAhead),
                    MOST_AHEAD + " or less, because so many tokens may be lost with each term"));
        }
        region.ifPresent(one -> {
            if (one.of() < 1 || one.of() > MOST_REGIONS) {
                faults.add(new Fault(prefix + "region.of", Integer.toString(one.of()), "1 to " + MOST_REGIONS));
            } else if (one.index() < 0 || one.index() >= one.of()) {
                faults.add(new Fault(prefix + "region.index", Integer.toString(one.index()), "0 to " + (one.of() - 1)));
            }
        });
        return List.copyOf(faults);
    }

    private static void atLeastOne(List<Fault> faults, String key, long value) {
        if (value < 1) {
            faults.add(new Fault(key, Long.toString(value), "1 or more"));
        }
    }
}
