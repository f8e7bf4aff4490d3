package dev.baton.bench.tokens;

import dev.baton.bench.load.LoadReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the arms reported, round by round. A ratio is of one round, so that a busy moment meets both its sides. */
final class Rounds {

    private final List<Map<String, LoadReport>> rounds = new ArrayList<>();

    void add(Map<String, LoadReport> round) {
        rounds.add(Map.copyOf(round));
    }

    /** How much faster one arm answers than another: the median over the rounds. */
    double speedOver(String arm, String other) {
        return rounded(median(speedsOver(arm, other)));
    }

    List<Double> speedsOver(String arm, String other) {
        List<Double> ratios = new ArrayList<>();
        for (Map<String, LoadReport> round : rounds) {
            LoadReport over = round.get(arm);
            LoadReport under = round.get(other);
            if (over != null && under != null) {
                ratios.add(rounded(over.opsPerSecond() / under.opsPerSecond()));
            }
        }
        return ratios;
    }

    /** Each number of an arm as its median over the rounds. */
    Map<String, Object> summary(String arm) {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("opsPerSecond", Math.round(medianOf(arm, LoadReport::opsPerSecond)));
        summary.put("p50Micros", rounded(medianOf(arm, LoadReport::p50Micros)));
        summary.put("p99Micros", rounded(medianOf(arm, LoadReport::p99Micros)));
        long failed = of(arm).stream().mapToLong(LoadReport::failed).sum();
        if (failed > 0) {
            summary.put("failed", failed);
            summary.put("failure", lastFailure(arm));
        }
        return summary;
    }

    private String lastFailure(String arm) {
        return of(arm).reversed().stream()
                .map(LoadReport::failure)
                .filter(failure -> !failure.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** What failed in these arms, in words. */
    List<String> failures(List<String> arms) {
        List<String> failures = new ArrayList<>();
        for (String arm : arms) {
            long failed = of(arm).stream().mapToLong(LoadReport::failed).sum();
            if (failed > 0) {
                failures.add(arm + ": " + failed + " failed, the last by " + lastFailure(arm) + " (expected: none)");
            }
        }
        return failures;
    }

    double opsPerSecond(String arm) {
        return medianOf(arm, LoadReport::opsPerSecond);
    }

    private double medianOf(String arm, ToDoubleFunction<LoadReport> number) {
        return median(of(arm).stream().mapToDouble(number).boxed().toList());
    }

    private List<LoadReport> of(String arm) {
        List<LoadReport> reports = new ArrayList<>();
        for (Map<String, LoadReport> round : rounds) {
            LoadReport report = round.get(arm);
            if (report != null) {
                reports.add(report);
            }
        }
        return reports;
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        double upper = sorted.get(sorted.size() / 2);
        return sorted.size() % 2 == 1 ? upper : (sorted.get(sorted.size() / 2 - 1) + upper) / 2;
    }

    static double rounded(double value) {
        return Double.isFinite(value) ? Math.round(value * 1000) / 1000.0 : Double.NaN;
    }
}
