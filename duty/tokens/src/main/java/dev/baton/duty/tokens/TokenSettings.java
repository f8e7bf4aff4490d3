package dev.baton.duty.tokens;

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
}
