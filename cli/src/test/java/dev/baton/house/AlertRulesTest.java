package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The alert rules as Prometheus' own tool sees them. */
class AlertRulesTest {

    private static final Path ALERTS = Path.of("..", "docs", "alerts");

    private static String promtool(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments))
                        .toList())
                .directory(ALERTS.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private static JsonNode yaml(String file) throws IOException {
        return new YAMLMapper().readTree(ALERTS.resolve(file).toFile());
    }

    @Test
    void everyRuleIsOneThatPrometheusReads() throws Exception {
        try (Stream<Path> files = Files.list(ALERTS)) {
            List<String> rules = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".rules.yml"))
                    .toList();
            assertThat(rules).contains("seats.rules.yml", "tokens.rules.yml");
            for (String file : rules) {
                assertThat(promtool("check", "rules", file)).contains("SUCCESS");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seats", "tokens"})
    void alertsFireWhenTheyShouldAndNotBefore(String rules) throws Exception {
        assertThat(promtool("test", "rules", rules + ".test.yml")).contains("SUCCESS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"seats", "tokens"})
    void everyAlertIsTestedAndItsRunbookExists(String rules) throws Exception {
        Set<String> alerts = new TreeSet<>();
        for (JsonNode group : yaml(rules + ".rules.yml").path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                if (rule.has("alert")) {
                    alerts.add(rule.path("alert").asText());
                }
                String runbook = rule.path("annotations").path("runbook").asText("");
                if (!runbook.isEmpty()) {
                    assertThat(Path.of("..").resolve(runbook)).exists();
                }
            }
        }
        assertThat(tested(rules, true)).isEqualTo(alerts);
    }

    /** An alert that always fires passes every test that waits for it. */
    @Test
    void everyAlertOfTokensIsAlsoSeenNotToFire() throws Exception {
        assertThat(tested("tokens", false)).isEqualTo(tested("tokens", true));
    }

    /** The alerts that the tests see fire, or those that they see silent. */
    private static Set<String> tested(String rules, boolean firing) throws IOException {
        Set<String> tested = new TreeSet<>();
        for (JsonNode test : yaml(rules + ".test.yml").path("tests")) {
            for (JsonNode one : test.path("alert_rule_test")) {
                if (one.path("exp_alerts").isEmpty() != firing) {
                    tested.add(one.path("alertname").asText());
                }
            }
        }
        return tested;
    }
}
