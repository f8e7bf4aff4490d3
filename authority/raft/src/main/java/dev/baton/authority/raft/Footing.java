package dev.baton.authority.raft;

import java.util.Optional;

/**
 * Where a member stands in the group at one moment. By the time it is read it may be different: only applying decides.
 *
 * @param leads it leads, and has applied everything from before its term
 */
record Footing(boolean leads, long term, Optional<MemberId> leader) {}
