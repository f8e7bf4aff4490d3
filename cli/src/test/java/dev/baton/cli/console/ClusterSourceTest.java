package dev.baton.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.Json;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.console.Picture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClusterSourceTest {

    private final AtomicLong nanos = new AtomicLong();
    private final ClusterSource source = new ClusterSource(
            new ClusterFile(
                    "dev",
                    "raft",
                    0,
                    List.of(
                            new ClusterFile.Member("n1", 1, true, new ClusterFile.Ports(1, 2, 3, 4, 5)),
                            new ClusterFile.Member("n2", 2, true, new ClusterFile.Ports(6, 7, 8, 9, 10)))),
            nanos::get);

    private void says(String node, String standing) {
        source.take(
                node,
                Json.parse("{\"state\":{\"nodes\":{\"" + node
                                + "\":{\"state\":\"up\",\"status\":{\"seats\":[{\"seat\":\"blocks\",\"standing\":\""
                                + standing + "\"}]}}}},\"blocks\":[]}")
                        .orElseThrow());
    }

    private JsonNode shown(String node) throws InterruptedException {
        return Json.parse(source.look().state().toUtf8())
                .orElseThrow()
                .path("nodes")
                .path(node);
    }

    /** As after SIGSTOP: the connection stays, and the last that was heard is that it leads. */
    @Test
    void aNodeThatSaysNothingAnyMoreIsNotShownAsTheLeaderThatItWas() throws Exception {
        says("n1", "LEADER");
        says("n2", "FOLLOWER");
        Picture before = source.look();

        nanos.addAndGet(ClusterSource.SILENCE.plusSeconds(1).toNanos());
        says("n2", "LEADER");

        assertThat(shown("n1").path("state").asText()).isEqualTo("down");
        assertThat(shown("n1").path("why").asText()).isEqualTo("it says nothing for 4 s");
        assertThat(shown("n1").path("sinceMillis").asLong()).isPositive();
        assertThat(shown("n1").has("status")).isFalse();
        assertThat(shown("n2").path("state").asText()).isEqualTo("up");
        assertThat(source.look().essence()).isNotEqualTo(before.essence());

        says("n1", "FOLLOWER");

        assertThat(shown("n1").path("state").asText()).isEqualTo("up");
    }

    @Test
    void theSilenceItselfIsNewsEvenIfNobodyElseSaysAnything() throws Exception {
        says("n1", "LEADER");
        says("n2", "FOLLOWER");
        String before = source.look().essence();

        nanos.addAndGet(ClusterSource.SILENCE.toNanos());
        assertThat(source.look().essence()).isEqualTo(before);
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(source.look().essence()).isNotEqualTo(before);
    }
}
