package dev.baton.authority.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.tck.LoopbackPorts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {

    /** Tests in the other one. */
    static final class Beside {

        private Beside() {}

        public static void main(String[] arguments) {
            IntStream.range(0, 20).forEach(i -> System.out.println(LoopbackPorts.next()));
        }
    }

    /** A server that was down for a moment found that the tests of another module had taken its port. */
    @Test
    void processesThatTestSideBySideHaveNoPortInCommon() throws Exception {
        Set<Integer> ours =
                IntStream.range(0, 200).mapToObj(i -> LoopbackPorts.next()).collect(Collectors.toSet());

        Process beside = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Beside.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Integer> theirs = new String(beside.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(Integer::valueOf)
                .toList();

        assertThat(beside.waitFor()).isZero();
        assertThat(theirs).hasSize(20).doesNotContainAnyElementsOf(ours);
    }
}
