package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Promotion;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.Bytes;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that come, go, and come back with an empty disk, while the group works. */
final class MembershipTest {

    @TempDir
    private Path dir;

    @Test
    void aWipedMemberComesBackUnderANewName() throws Exception {
        try (Group group = Group.of(3, dir, UnaryOperator.identity())) {
            Promotion.Elected elected = group.take(1);
            group.commit(1, elected, Bytes.utf8("one"));
            group.stop(3);
            wipe(group.folder(3));

            RaftAuthority back = group.adopt(3, RaftAuthority.join(group.settings(3)));

            group.commit(1, elected, Bytes.utf8("two"));
            group.awaitHeight(3, 2);
            assertThat(group.member(1).members()).hasSize(3).anySatisfy(member -> {
                assertThat(member.node()).isEqualTo(Group.node(3));
                assertThat(member.name()).startsWith("n3.");
            });
            back.transferTo(Group.node(3)); // it is a full member: it can lead
            group.awaitLeads(3);
        }
    }

    /** It kept its disk this time, so it starts as anybody does, and is still the new member. */
    @Test
    void aMemberThatJoinedRestartsUnderItsNewName() throws Exception {
        try (Group group = Group.of(3, dir, UnaryOperator.identity())) {
            group.stop(3);
            wipe(group.folder(3));
            group.adopt(3, RaftAuthority.join(group.settings(3)));
            group.stop(3);

            group.start(3);

            int holder = group.awaitLeader();
            Promotion.Elected elected = group.take(holder);
            group.commit(holder, elected, Bytes.utf8("one"));
            group.awaitHeight(3, 1);
            assertThat(group.member(3).members())
                    .extracting(RaftAuthority.Member::name)
                    .anyMatch(name -> name.startsWith("n3."));
        }
    }

    @Test
    void membersAreAddedAndRemovedWhileTheHolderWorks() throws Exception {
        try (Group group = Group.of(3, dir, UnaryOperator.identity())) {
            Promotion.Elected elected = group.take(1);
            group.commit(1, elected, Bytes.utf8("one"));
            Map<NodeId, String> grown = new TreeMap<>(group.peers());
            grown.put(Group.node(4), LoopbackPorts.nextAddress());
            RaftSettings one = group.settings(1);
            RaftSettings four = RaftSettings.of(one.cluster(), Group.node(4), grown, dir.resolve("n4"), one.lease())
                    .with(one.times());

            group.adopt(4, RaftAuthority.join(four));
            group.commit(1, elected, Bytes.utf8("two"));
            group.awaitHeight(4, 2);
            group.member(4).removeMember(Group.node(2)); // asked at a follower, done by the leader

            group.commit(1, elected, Bytes.utf8("three"));
            group.awaitHeight(4, 3);
            assertThat(nodes(group.member(1))).containsExactlyInAnyOrder(Group.node(1), Group.node(3), Group.node(4));
            Awaitility.await("the removed member says so")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> group.member(2).broken().isPresent());
            assertThat(group.ask(2)).isInstanceOf(Promotion.Unavailable.class);

            group.member(3).removeMember(Group.node(1)); // the leader itself
            Promotion.Elected successor = group.take(3);
            group.commit(3, successor, Bytes.utf8("four"));
            group.awaitHeight(4, 4);
        }
    }

    private static List<NodeId> nodes(RaftAuthority member) {
        return member.members().stream().map(RaftAuthority.Member::node).toList();
    }

    static void wipe(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
