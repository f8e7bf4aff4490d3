package dev.baton.authority.raft;

import dev.baton.core.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.protocol.RaftPeer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who belongs to the group, and changes of it. The leader makes them; other members pass the wish on. */
final class Membership {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    /** How long somebody who asked for a change waits for it. */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final long LOOK_AGAIN_MILLIS = 100;

    private final RaftMember member;
    private final Leadership leadership;
    private final PeerLine line;
    private final Signal signal;

    Membership(RaftMember member, Leadership leadership, PeerLine line, Signal signal) {
        this.member = member;
        this.leadership = leadership;
        this.line = line;
        this.signal = signal;
    }

    /** At the leader. Blocks while the group agrees on the change. */
    PeerAnswer decide(PeerRequest request) {
        return switch (request) {
            case PeerRequest.Lead wish -> leadership.consider(wish);
            case PeerRequest.Join(MemberId joining, String address) -> join(joining, address);
            case PeerRequest.Remove(NodeId node) -> remove(node);
            case PeerRequest.MoveTo(NodeId node) -> moveTo(node);
        };
    }

    private PeerAnswer join(MemberId joining, String address) {
        if (member.peer(joining).isPresent()) {
            return new PeerAnswer.Granted();
        }
        List<RaftPeer> voters = without(joining.node());
        voters.add(RaftMember.peer(joining, address));
        return configure(voters, joining + " joins");
    }

    private PeerAnswer remove(NodeId node) {
        if (member.peerOf(node).isEmpty()) {
            return new PeerAnswer.Granted();
        }
        List<RaftPeer> voters = without(node);
        if (voters.isEmpty()) {
            return new PeerAnswer.Refused(node + " is the last member (expected: another one that stays)");
        }
        return configure(voters, node + " leaves");
    }

    private List<RaftPeer> without(NodeId node) {
        List<RaftPeer> voters = new ArrayList<>(member.peers());
        voters.removeIf(peer -> MemberId.of(peer.getId()).node().equals(node));
        return voters;
    }

    private PeerAnswer configure(List<RaftPeer> voters, String what) {
        if (voters.size() == 2) {
            LOG.warn("{}: two members remain, and the loss of either stops both; add a third", what);
        }
        try {
            member.configure(voters);
            LOG.info("{}: the members are {}", what, voters);
            return new PeerAnswer.Granted();
        } catch (IOException e) {
            return new PeerAnswer.Wait(what + ": " + e.getMessage());
        }
    }

    private PeerAnswer moveTo(NodeId node) {
        if (member.id().node().equals(node)) {
            return new PeerAnswer.Granted();
        }
        Optional<RaftPeer> target = member.peerOf(node);
        if (target.isEmpty()) {
            return new PeerAnswer.Refused(node + " is not a member (expected: one of " + member.peers() + ")");
        }
        return leadership.moveTo(MemberId.of(target.get().getId()))
                ? new PeerAnswer.Granted()
                : new PeerAnswer.Wait("the leadership is moving");
    }

    /** Gets the request done, here or at the leader, and repeats it until {@code done}; blocks. */
    void request(PeerRequest request, Done done) {
        long beginNanos = System.nanoTime();
        String why = "no leader is known";
        while (!done.isDone()) {
            long seen = signal.changes();
            PeerAnswer answer = pass(request);
            if (answer instanceof PeerAnswer.Refused(String reason)) {
                throw new IllegalArgumentException(reason);
            }
            if (answer instanceof PeerAnswer.Wait(String reason)) {
                why = reason;
            }
            if (System.nanoTime() - beginNanos > PATIENCE.toNanos()) {
                throw new IllegalStateException(request + ": not done within 15 s: " + why);
            }
            if (!done.isDone()) {
                signal.await(seen, LOOK_AGAIN_MILLIS);
            }
        }
    }

    /** Whether what was asked for has come true. */
    interface Done {
        boolean isDone();
    }

    private PeerAnswer pass(PeerRequest request) {
        Footing footing = member.footing();
        if (footing.leads()) {
            return decide(request);
        }
        Optional<RaftPeer> leader = footing.leader().flatMap(member::peer);
        return leader.isEmpty() ? new PeerAnswer.Wait("no leader is known") : line.ask(leader.get(), request);
    }

    /** Asks each address in turn until the leader has taken this empty member in; blocks. */
    void joinThrough(List<String> addresses, String ownAddress, Duration patience) {
        PeerRequest.Join request = new PeerRequest.Join(member.id(), ownAddress);
        long beginNanos = System.nanoTime();
        while (true) {
            @Nullable PeerAnswer last = null;
            for (String address : addresses) {
                last = line.ask(RaftMember.peer(new MemberId("at-" + address), address), request);
                if (last instanceof PeerAnswer.Granted) {
                    return;
                }
                if (last instanceof PeerAnswer.Refused(String reason)) {
                    throw new StartFailedException(reason);
                }
            }
            if (System.nanoTime() - beginNanos > patience.toNanos()) {
                throw new StartFailedException("no member among " + addresses + " took " + member.id() + " in within "
                        + patience.toSeconds() + " s (expected: a running group with a leader): " + last);
            }
            signal.await(signal.changes(), LOOK_AGAIN_MILLIS);
        }
    }
}
