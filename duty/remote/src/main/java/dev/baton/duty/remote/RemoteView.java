package dev.baton.duty.remote;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a sequencer described itself.
 *
 * @param head the last block that it has, whoever made it
 * @param safeNumber the last block that it calls safe
 * @param ancestor what it has where the ledger's last head is
 * @param peers how many others it is connected to; empty if it does not say
 * @param problem why it calls itself unhealthy; empty if it does not
 * @param clock what its clock showed; empty unless it stops by itself when its lease ends
 */
public record RemoteView(
        boolean active,
        BlockRef head,
        long safeNumber,
        Ancestor ancestor,
        OptionalLong peers,
        Optional<String> problem,
        Optional<PeerTime> clock) {}
