package dev.baton.authority.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The kit can fail: each broken engine is caught by the tests that are meant to catch it. */
class TckCatchesMutantsTest {

    /** The engine that the kit runs against next; the launcher makes the test class itself, so it cannot be told. */
    private static Supplier<MemoryFixture> underTest = MemoryFixture::new;

    @ParameterizedTest
    @EnumSource
    void aBrokenEngineIsCaught(Mutant mutant) {
        Outcome outcome = run(() -> broken(mutant), mutant.catchers());

        assertThat(outcome.failed()).containsExactlyInAnyOrderElementsOf(mutant.catchers());
    }

    /** Otherwise the tests above could fail for another reason than the defect. */
    @Test
    void theSameTestsPassOnTheSoundEngine() {
        List<String> all = Arrays.stream(Mutant.values())
                .flatMap(mutant -> mutant.catchers().stream())
                .distinct()
                .toList();

        Outcome outcome = run(MemoryFixture::new, all);

        assertThat(outcome.failed()).isEmpty();
        assertThat(outcome.passed()).containsExactlyInAnyOrderElementsOf(all);
    }

    /** A defect may show as something that never happens, so the wait for it is short. */
    private static MemoryFixture broken(Mutant mutant) {
        return new MemoryFixture(mutant::create, Duration.ofMillis(500), Duration.ofSeconds(3));
    }

    private record Outcome(Set<String> passed, Set<String> failed) {}

    private static Outcome run(Supplier<MemoryFixture> fixture, List<String> tests) {
        underTest = fixture;
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(tests.stream()
                        .map(test -> selectMethod(KitOnTrial.class, test))
                        .toList())
                .build();
        Outcome outcome = new Outcome(new HashSet<>(), new HashSet<>());
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                String name = test.getLegacyReportingName().replace("()", "");
                if (test.isTest()) {
                    (passed ? outcome.passed() : outcome.failed()).add(name);
                } else if (!passed) {
                    outcome.failed().add("the fixture itself: " + result);
                }
            }
        });
        return outcome;
    }

    /** Nested, so that only the launcher above finds it. */
    static class KitOnTrial extends AuthorityTck {

        @Override
        protected EngineFixture open(Path dir) {
            return underTest.get();
        }
    }
}
