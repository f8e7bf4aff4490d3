package dev.baton.authority.redis.protocol;

import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.Optional;

/**
 * The last entry that a node accepted, without its content. It may or may not be committed; what lies below it is.
 *
 * @param parent the hash of the entry before it, which is committed because this one follows it
 * @param ballot the epoch under which the node accepted it
 * @param installs the node set that governs above it, if it carries one
 */
public record Tip(Height height, Epoch ballot, Hash hash, Hash parent, Optional<MemberSet> installs) {

    public Head asHead() {
        return new Head(height, hash);
    }

    /** The entry before it: a leader writes the next one only after this was committed. */
    public Head committedBelow() {
        return height.equals(Height.FIRST) ? Head.GENESIS : new Head(new Height(height.value() - 1), parent);
    }

    /** Whether both are one acceptance of one entry: a quorum of those is a commit. */
    public boolean isSameAcceptance(Tip other) {
        return height.equals(other.height) && ballot.equals(other.ballot) && hash.equals(other.hash);
    }
}
