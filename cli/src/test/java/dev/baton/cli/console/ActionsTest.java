package dev.baton.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.StubNode;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.core.Bytes;
import dev.baton.node.http.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionsTest {

    private final StubNode first = new StubNode();
    private final StubNode second = new StubNode();
    private final List<String> told = new ArrayList<>();
    private Actions actions;

    @BeforeEach
    void prepare(@TempDir Path data) {
        ClusterFile cluster = new ClusterFile("dev", "raft", 0, List.of(member("n1", first), member("n2", second)));
        actions = new Actions(data, () -> cluster, () -> Optional.of("n1"), told::add);
        for (StubNode node : List.of(first, second)) {
            node.answers("/handoff", "{}").answers("/pause", "{}").answers("/resume", "{}");
        }
    }

    private static ClusterFile.Member member(String name, StubNode node) {
        return new ClusterFile.Member(name, 1, true, new ClusterFile.Ports(1, 1, 1, node.port(), 1));
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @ParameterizedTest
    @CsvSource({
        "handoff, n1, /handoff?to=n2&validMillis=5000&why=new+disk+%26+cable&seat=blocks",
        "pause, n2, /pause?why=new+disk+%26+cable&seat=blocks",
        "resume, n2, /resume?why=new+disk+%26+cable&seat=blocks"
    })
    void theReasonGoesAlongToTheNodeThatDoesIt(String action, String asked, String path) throws Exception {
        String body =
                "{\"action\":\"" + action + "\",\"node\":\"n2\",\"seat\":\"blocks\",\"reason\":\"new disk & cable\"}";

        var answer = actions.act(new Request("POST", "", Map.of(), Map.of(), Bytes.utf8(body)));

        assertThat(answer.status()).isEqualTo(200);
        assertThat((asked.equals("n1") ? first : second).requests()).containsExactly("POST " + path + " ");
        assertThat((asked.equals("n1") ? second : first).requests()).isEmpty();
        assertThat(told).containsExactly("console: " + action + " n2: new disk & cable");
    }
}
