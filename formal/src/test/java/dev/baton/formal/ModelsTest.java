package dev.baton.formal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each model gives the answer that we claim; the traces of the broken ones are left in {@code target/traces}. */
@Execution(ExecutionMode.CONCURRENT)
class ModelsTest {

    private static final Path TRACES = Path.of("target", "traces");

    private final Tlc tlc = new Tlc(Duration.ofMinutes(10), line -> {});

    static List<Model> ours() {
        return Models.checked().stream().filter(Model::mustHold).toList();
    }

    static List<Model> broken() {
        return Models.checked().stream().filter(model -> !model.mustHold()).toList();
    }

    /** INV-1 and INV-3: our protocol keeps one committed entry per height, never loses one, and its epochs only grow. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("ours")
    void ourProtocolHolds(Model model) throws IOException, InterruptedException {
        Finding finding = tlc.run(model);
        System.out.println(finding.summary());
        assertThat(finding.violated()).as(finding.readableTrace()).isEmpty();
        assertThat(finding.finished()).as(finding.summary()).isTrue();
        assertThat(finding.states())
                .as("a model that goes nowhere holds always")
                .isGreaterThan(1_000);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void theProtocolFailsWithoutThisRule(Model model) throws IOException, InterruptedException {
        Finding finding = tlc.run(model);
        Files.createDirectories(TRACES);
        Files.writeString(TRACES.resolve(model.name() + ".txt"), finding.readableTrace());
        System.out.println(finding.readableTrace());
        assertThat(finding.violated()).as(finding.summary()).isPresent();
        assertThat(finding.trace()).as("the trace that shows it").hasSizeGreaterThan(5);
    }
}
