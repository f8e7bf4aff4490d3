package dev.baton.cli.mempool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.MempoolConfig;
import dev.baton.node.config.NodeConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of two nodes that share a pool: whoever copies it gets what the pages promise. */
class ExampleTest {

    private static final Path EXAMPLE = Path.of("..", "examples", "mempool");

    private static NodeConfig node(String file) throws Exception {
        return ConfigReader.read(EXAMPLE.resolve(file));
    }

    @Test
    void bothNodesShareOnePoolAndDifferOnlyInTheirNames() throws Exception {
        NodeConfig first = node("node1.yaml");
        NodeConfig second = node("node2.yaml");
        MempoolConfig pool = first.seats().getFirst().mempool();
        assertThat(second.seats().getFirst().mempool()).isEqualTo(pool);
        assertThat(first.cluster()).isEqualTo(second.cluster());
        assertThat(List.of(first.node().value(), second.node().value())).containsExactly("n1", "n2");
        assertThat(pool.redis().prefix()).isEqualTo("dolos:mempool");
        assertThat(pool.redis().connections()).isEqualTo(10);
        assertThat(pool.limits().maxFinalized()).isEqualTo(10_000);
        assertThat(first.seats().getFirst().timings().takeoverDelay()).hasSeconds(10);
    }

    @Test
    void theComposeFileNamesFilesThatAreThereAndTheServersThatTheNodesAskFor() throws Exception {
        JsonNode compose = new ObjectMapper(new YAMLFactory())
                .readTree(EXAMPLE.resolve("compose.yaml").toFile());
        JsonNode services = compose.path("services");
        for (String name : List.of("node1", "node2")) {
            JsonNode service = services.path(name);
            Path context = EXAMPLE.resolve(service.path("build").path("context").asText());
            assertThat(context.resolve(service.path("build").path("dockerfile").asText()))
                    .isRegularFile();
            assertThat(context.resolve("pom.xml")).isRegularFile();
            String mounted = service.path("volumes").path(0).asText();
            assertThat(mounted).startsWith("./" + name + ".yaml:");
            assertThat(Files.readString(EXAMPLE.resolve(name + ".yaml"))).contains("advertise: " + name);
        }
        assertThat(services.path("redis").path("command").asText()).contains("--maxmemory-policy noeviction");
        assertThat(Files.readString(EXAMPLE.resolve("node1.yaml"))).contains("redis://redis:", "etcd:2379");
        assertThat(services.has("etcd")).isTrue();
    }
}
