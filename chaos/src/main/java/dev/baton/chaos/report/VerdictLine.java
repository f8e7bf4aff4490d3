package dev.baton.chaos.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Spread;
import dev.baton.chaos.checker.Violation;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Setting;

/** The last line of a run, for programs: the verdict and the numbers that people compare. */
public final class VerdictLine {

    private VerdictLine() {}

    public static String of(Account account, Judgement judgement) {
        return node(account, judgement).toString();
    }

    /** The line of a run that could not be made: it says nothing of the product, and why. */
    public static String ofNone(long seed, String why) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("verdict", Judgement.Verdict.UNKNOWN.name());
        line.put("seed", seed).put("faults", 0).put("commits", 0);
        line.putArray("violations");
        line.putObject("failoverMillis");
        return line.put("why", why).toString();
    }

    static ObjectNode node(Account account, Judgement judgement) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("verdict", judgement.verdict().name());
        line.put("seed", account.setting().map(Setting::seed).orElse(0L));
        line.put("faults", judgement.faults());
        line.put("commits", judgement.commits());
        ArrayNode violations = line.putArray("violations");
        judgement.violations().forEach(each -> violations.add(violation(each)));
        ObjectNode failovers = line.putObject("failoverMillis");
        judgement.failovers().forEach((kind, spread) -> failovers.set(kind.label(), millis(spread)));
        return line;
    }

    private static ObjectNode violation(Violation violation) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("rule", violation.rule().id());
        node.put("text", violation.text());
        node.put("atMillis", violation.atNanos() / 1_000_000);
        violation.ops().forEach(node.putArray("ops")::add);
        violation.heights().forEach(node.putArray("heights")::add);
        violation.faults().forEach(node.putArray("faults")::add);
        return node;
    }

    static ObjectNode millis(Spread spread) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("n", spread.n());
        node.put("p50", spread.p50Nanos() / 1_000_000);
        node.put("p95", spread.p95Nanos() / 1_000_000);
        node.put("max", spread.maxNanos() / 1_000_000);
        return node;
    }
}
