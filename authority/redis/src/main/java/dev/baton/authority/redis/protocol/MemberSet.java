package dev.baton.authority.redis.protocol;

import dev.baton.core.Entry;
import dev.baton.core.Fact;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The members that decide. The set is ledger content: an entry may carry a new one, which governs from the next height
 * on.
 */
public record MemberSet(List<Member> members) {

    /** Tells a set of ours from what other engines may have left in a ledger that moved. */
    private static final String SCHEME = "redis:";

    public static final int MOST = 7;

    public MemberSet {
        members = members.stream()
                .sorted((a, b) -> a.address().compareTo(b.address()))
                .toList();
        Set<MemberId> ids = members.stream().map(Member::id).collect(Collectors.toSet());
        Set<String> addresses = members.stream().map(Member::address).collect(Collectors.toSet());
        if (members.isEmpty()
                || members.size() > MOST
                || ids.size() < members.size()
                || addresses.size() < members.size()) {
            throw new IllegalArgumentException(
                    "node set: " + members + " (expected: 1 to " + MOST + " Redis nodes, each once)");
        }
    }

    public static MemberSet of(Member... members) {
        return new MemberSet(List.of(members));
    }

    /** A majority: any two of them share a member. */
    public int quorum() {
        return members.size() / 2 + 1;
    }

    public boolean hasQuorumAmong(Collection<MemberId> voters) {
        int votes = 0;
        for (Member member : members) {
            if (voters.contains(member.id())) {
                votes++;
            }
        }
        return votes >= quorum();
    }

    public boolean contains(MemberId id) {
        return find(id).isPresent();
    }

    public Optional<Member> find(MemberId id) {
        return members.stream().filter(member -> member.id().equals(id)).findFirst();
    }

    public Optional<Member> at(String address) {
        return members.stream()
                .filter(member -> member.address().equals(address))
                .findFirst();
    }

    public MemberSet with(Member added) {
        return new MemberSet(Stream.concat(members.stream(), Stream.of(added)).toList());
    }

    public MemberSet without(MemberId removed) {
        return new MemberSet(
                members.stream().filter(member -> !member.id().equals(removed)).toList());
    }

    public MemberSet replacing(MemberId gone, Member arrived) {
        return new MemberSet(members.stream()
                .map(member -> member.id().equals(gone) ? arrived : member)
                .toList());
    }

    /** The set that this entry installs, if it carries one. */
    public static Optional<MemberSet> installedBy(Entry entry) {
        return entry.facts().stream()
                .filter(Fact.NodeSet.class::isInstance)
                .map(fact -> ((Fact.NodeSet) fact).members())
                .filter(members -> !members.isEmpty() && members.stream().allMatch(text -> text.startsWith(SCHEME)))
                .reduce((earlier, later) -> later)
                .map(members -> new MemberSet(members.stream()
                        .map(text -> Member.parse(text.substring(SCHEME.length())))
                        .toList()));
    }

    public Fact.NodeSet asFact() {
        return new Fact.NodeSet(members.stream().map(member -> SCHEME + member).toList());
    }

    /** Reads what {@link #toString} writes. */
    public static MemberSet parse(String text) {
        return new MemberSet(
                Arrays.stream(text.split(",", -1)).map(Member::parse).toList());
    }

    @Override
    public String toString() {
        return members.stream().map(Member::toString).collect(Collectors.joining(","));
    }
}
