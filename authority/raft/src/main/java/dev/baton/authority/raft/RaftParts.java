package dev.baton.authority.raft;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the seats of one member share.
 *
 * @param outOfService why nothing works any more; null while it does
 */
record RaftParts(
        RaftSettings settings,
        RaftMember member,
        RaftLedger ledger,
        Leadership leadership,
        PeerLine line,
        Signal signal,
        Executor blocking,
        Supplier<@Nullable String> outOfService) {}
