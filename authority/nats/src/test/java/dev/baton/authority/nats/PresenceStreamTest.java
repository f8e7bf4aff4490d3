package dev.baton.authority.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Noticeboard;
import dev.baton.authority.nats.testing.NatsServers;
import dev.baton.core.Bytes;
import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PresenceStreamTest {

    private static final ClusterId CLUSTER = new ClusterId("acme");
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    @TempDir
    private Path dir;

    private NatsServers nats;
    private NatsAuthority authority;

    @BeforeEach
    void start() {
        nats = NatsServers.start(1, dir);
        authority = NatsAuthority.openUnchecked(
                NatsSettings.of(nats.addresses()).withRequestTimeout(Duration.ofSeconds(6)));
    }

    @AfterEach
    void stop() {
        authority.close();
        nats.close();
    }

    private static List<String> texts(Noticeboard board) {
        return board.read().stream().map(notice -> notice.text().toUtf8()).toList();
    }

    @Test
    void eachNodeHasOneNoticeAndANewOneHasAHigherNumber() {
        Noticeboard board = authority.noticeboard(CLUSTER);
        assertThat(board.read()).isEmpty();
        assertThat(board.post(N1, Bytes.utf8("first"))).isTrue();
        assertThat(board.post(N2, Bytes.utf8("second"))).isTrue();
        long before = board.read().getFirst().number();

        assertThat(board.post(N1, Bytes.utf8("again"))).isTrue();

        assertThat(texts(board)).containsExactly("second", "again");
        assertThat(board.read().getLast().number()).isGreaterThan(before);
        assertThat(authority.noticeboard(new ClusterId("other")).read()).isEmpty();
    }

    @Test
    void noticesLiveApartFromSeatsInMemoryAndNotForLong() throws Exception {
        authority.noticeboard(CLUSTER).post(N1, Bytes.utf8("here"));

        try (Connection operator = nats.connect()) {
            StreamConfiguration made = operator.jetStreamManagement()
                    .getStreamInfo("baton_acme_presence")
                    .getConfiguration();
            assertThat(made.getSubjects()).containsExactly("baton.presence.acme.*");
            assertThat(made.getMaxAge()).isEqualTo(PresenceStream.STAYS);
            assertThat(made.getMaxMsgsPerSubject()).isEqualTo(1);
        }
    }

    @Test
    void aBoardThatWentAwayComesBackByItself() throws Exception {
        Noticeboard board = authority.noticeboard(CLUSTER);
        board.post(N1, Bytes.utf8("here"));
        try (Connection operator = nats.connect()) {
            operator.jetStreamManagement().deleteStream("baton_acme_presence");
        }
        assertThat(board.read()).isEmpty();

        assertThat(board.post(N1, Bytes.utf8("lost"))).isFalse();
        assertThat(board.post(N1, Bytes.utf8("back"))).isTrue();

        assertThat(texts(board)).containsExactly("back");
    }
}
