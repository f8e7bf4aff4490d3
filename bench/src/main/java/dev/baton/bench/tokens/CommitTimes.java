package dev.baton.bench.tokens;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many commits took at most how long, as a node's metrics say.
 *
 * @param upTo the number of commits by the upper bound of their bucket in seconds, each counting all shorter ones
 */
public record CommitTimes(TreeMap<Double, Double> upTo) {

    public static final CommitTimes NONE = new CommitTimes(new TreeMap<>());

    private static final Pattern BUCKET =
            Pattern.compile("(?m)^baton_append_latency_seconds_bucket\\{([^}]*)}\\s+(\\S+)");
    private static final Pattern BOUND = Pattern.compile("le=\"([^\"]+)\"");
    private static final double MICROS_A_SECOND = 1e6;

    /** What a page of metrics says of one seat; a node may have others, such as that of its control plane. */
    public static CommitTimes read(String metrics, String seat) {
        TreeMap<Double, Double> upTo = new TreeMap<>();
        Matcher bucket = BUCKET.matcher(metrics);
        while (bucket.find()) {
            Matcher labelled = BOUND.matcher(bucket.group(1));
            if (!bucket.group(1).contains("seat=\"" + seat + "\"") || !labelled.find()) {
                continue;
            }
            String bound = labelled.group(1);
            double seconds = bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
            upTo.merge(seconds, Double.parseDouble(bucket.group(2)), Double::sum);
        }
        return new CommitTimes(upTo);
    }

    public CommitTimes plus(CommitTimes other) {
        return combined(other, 1);
    }

    /** What came since then. */
    public CommitTimes since(CommitTimes earlier) {
        return combined(earlier, -1);
    }

    private CommitTimes combined(CommitTimes other, int sign) {
        TreeMap<Double, Double> sum = new TreeMap<>(upTo);
        other.upTo.forEach((bound, count) -> sum.merge(bound, sign * count, Double::sum));
        return new CommitTimes(sum);
    }

    public double count() {
        return upTo.isEmpty() ? 0 : upTo.lastEntry().getValue();
    }

    /** Within a bucket, times are taken to lie evenly; beyond the last bound, to be that bound. */
    public double microsAt(double share) {
        double wanted = share * count();
        double belowSeconds = 0;
        double belowCount = 0;
        for (Map.Entry<Double, Double> bucket : upTo.entrySet()) {
            double bound = bucket.getKey();
            double upToBound = bucket.getValue();
            if (upToBound >= wanted && upToBound > 0) {
                if (Double.isInfinite(bound)) {
                    return belowSeconds * MICROS_A_SECOND;
                }
                double part = upToBound > belowCount ? (wanted - belowCount) / (upToBound - belowCount) : 1;
                return (belowSeconds + part * (bound - belowSeconds)) * MICROS_A_SECOND;
            }
            belowSeconds = bound;
            belowCount = upToBound;
        }
        return Double.NaN;
    }
}
