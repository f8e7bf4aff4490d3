package dev.baton.chaos.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Outage;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer.Outcome;
import dev.baton.chaos.history.FaultSpan;
import dev.baton.chaos.history.Setting;
import java.util.Locale;

/** What the page says, as JSON: the verdict line first, then the run, its faults, outages and operations. */
final class Twin {

    private Twin() {}

    static String of(Account account, Judgement judgement) {
        ObjectNode twin = VerdictLine.node(account, judgement);
        twin.put("story", Story.of(account, judgement));
        ObjectNode broken = twin.putObject("broken");
        judgement.counts().forEach((rule, count) -> broken.put(rule.id(), count));
        judgement.doubts().forEach(twin.putArray("doubts")::add);
        twin.put("longestGapMillis", judgement.longestGapNanos() / 1_000_000);
        twin.put("mostAtOnce", judgement.pressure().mostAtOnce());
        twin.put("faultsPerMinute", Math.round(judgement.pressure().perMinute() * 10) / 10.0);
        account.setting().ifPresent(setting -> describe(twin.putObject("run"), setting));
        ArrayNode faults = twin.putArray("faultList");
        account.faults().forEach(each -> describe(faults.addObject(), each));
        ArrayNode notDone = twin.putArray("faultsNotDone");
        account.faultsNotDone()
                .forEach(each -> notDone.addObject()
                        .put("id", each.fault())
                        .put("atMillis", each.atNanos() / 1_000_000)
                        .put("why", each.why()));
        ArrayNode outages = twin.putArray("outages");
        judgement.outages().forEach(each -> describe(outages.addObject(), each));
        ObjectNode operations = twin.putObject("operations");
        Latencies.byKind(account.operations()).forEach((kind, latencies) -> {
            ObjectNode node = operations.putObject(kind);
            for (Outcome outcome : Outcome.values()) {
                node.put(outcome.name().toLowerCase(Locale.ROOT), latencies.count(outcome));
            }
            node.set("okMillis", VerdictLine.millis(latencies.ok()));
        });
        return twin.toPrettyString();
    }

    private static void describe(ObjectNode node, Setting setting) {
        node.put("authority", setting.authority());
        node.put("duty", setting.duty());
        setting.nodes().forEach(node.putArray("nodes")::add);
        setting.engines().forEach(node.putArray("engines")::add);
        node.put("lastingMillis", setting.lastingNanos() / 1_000_000);
        node.put("commit", setting.commit());
        node.put("machine", setting.machine());
        node.put("command", setting.command());
        node.put("startedAt", setting.startedAt());
    }

    private static void describe(ObjectNode node, FaultSpan fault) {
        node.put("id", fault.id());
        node.put("kind", fault.kind().label());
        fault.targets().forEach(node.putArray("targets")::add);
        ObjectNode parameters = node.putObject("parameters");
        fault.parameters().forEach(parameters::put);
        node.put("beganMillis", fault.beganNanos() / 1_000_000);
        if (fault.isOver()) {
            node.put("endedMillis", fault.endedNanos() / 1_000_000);
        }
        fault.failed().ifPresent(why -> node.put("failed", why));
    }

    private static void describe(ObjectNode node, Outage outage) {
        node.put("fromMillis", outage.fromNanos() / 1_000_000);
        node.put("toMillis", outage.toNanos() / 1_000_000);
        node.put("newEpoch", outage.newEpoch());
        outage.cause().ifPresent(cause -> {
            node.put("fault", cause.fault());
            node.put("waitedMillis", cause.waitedNanos() / 1_000_000);
        });
    }
}
