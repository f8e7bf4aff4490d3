package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.Promotion;
import dev.baton.authority.tck.Certificates;
import dev.baton.core.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members talk over mutual TLS, and to nobody else. */
final class TlsTest {

    @TempDir
    private Path dir;

    @Test
    void membersWithCertificatesWorkAndStrangersAreTurnedAway() throws Exception {
        TlsFiles ours = files("ours");
        TlsFiles theirs = files("theirs");
        try (Group group = Group.of(3, dir, settings -> settings.with(ours))) {
            int follower = group.awaitLeader() % 3 + 1;
            Promotion.Elected elected = group.take(follower); // asks the leader, over TLS
            group.commit(follower, elected, Bytes.utf8("one"));
            group.awaitHeight(1, 1);
            group.awaitHeight(2, 1);
            group.awaitHeight(3, 1);

            RaftSettings member = group.settings(group.awaitLeader());
            assertThat(ask(member)).isInstanceOf(PeerAnswer.Granted.class);
            assertThat(ask(with(member, Optional.empty()))).isInstanceOf(PeerAnswer.Wait.class);
            assertThat(ask(with(member, Optional.of(theirs)))).isInstanceOf(PeerAnswer.Wait.class);
        }
    }

    @Test
    void missingCertificatesAreReportedBeforeAnythingStarts() throws Exception {
        TlsFiles nowhere = new TlsFiles(dir.resolve("a"), dir.resolve("b"), dir.resolve("c"));

        assertThatThrownBy(() -> Group.of(1, dir, settings -> settings.with(nowhere)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tls.key")
                .hasMessageContaining("tls.certificate")
                .hasMessageContaining("tls.authority");
    }

    /** A request that changes nothing: the leadership is asked to stay where it is. */
    private static PeerAnswer ask(RaftSettings as) throws IOException {
        RaftPeer leader = RaftMember.peer(MemberId.first(as.node()), as.address());
        try (PeerLine line = new PeerLine(RaftMember.groupOf(as.cluster()), new EngineProperties(as))) {
            return line.ask(leader, new PeerRequest.MoveTo(as.node()));
        }
    }

    private static RaftSettings with(RaftSettings settings, Optional<TlsFiles> tls) {
        RaftSettings plain = RaftSettings.of(
                settings.cluster(), settings.node(), settings.peers(), settings.storage(), settings.lease());
        return tls.map(plain::with).orElse(plain);
    }

    private TlsFiles files(String whose) throws Exception {
        Certificates made = new Certificates(dir.resolve(whose));
        return new TlsFiles(made.key(), made.certificate(), made.authority());
    }
}
