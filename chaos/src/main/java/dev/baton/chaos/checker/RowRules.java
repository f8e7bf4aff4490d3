package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Operation;
import dev.baton.chaos.history.Request;
import dev.baton.chaos.history.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A database under a seat: no acknowledged row is lost, and never two servers take rows. */
final class RowRules {

    private final Account account;
    private final Findings findings;

    RowRules(Account account, Findings findings) {
        this.account = account;
        this.findings = findings;
    }

    void check() {
        List<Operation> written = new ArrayList<>();
        for (Operation each : account.operations()) {
            if (each.answer() instanceof Answer.Written) {
                written.add(each);
            }
        }
        checkOnePerTimeline(written);
        checkNoneOfAnOlderTimeline(written);
        if (!account.rows().isEmpty()) {
            checkKept(written);
        }
    }

    private void checkOnePerTimeline(List<Operation> written) {
        Map<Long, Operation> first = new HashMap<>();
        for (Operation each : written) {
            Operation other = first.putIfAbsent(timelineOf(each), each);
            if (other != null && !serverOf(other).equals(serverOf(each))) {
                findings.add(
                        Rule.ONE_PRIMARY,
                        each.answeredNanos(),
                        "on timeline " + timelineOf(each) + " both " + serverOf(other) + " and " + serverOf(each)
                                + " took rows",
                        List.of(other.op(), each.op()),
                        List.of());
            }
        }
    }

    private void checkNoneOfAnOlderTimeline(List<Operation> written) {
        new RealTime<Operation>(each -> each, RowRules::timelineOf)
                .contradictions(written, (before, after) -> after >= before)
                .forEach(pair -> findings.add(
                        Rule.ONE_PRIMARY,
                        pair.later().answeredNanos(),
                        serverOf(pair.later()) + " took a row on timeline " + timelineOf(pair.later()) + " after "
                                + serverOf(pair.earlier()) + " had taken one on " + timelineOf(pair.earlier()),
                        List.of(pair.earlier().op(), pair.later().op()),
                        List.of()));
    }

    private void checkKept(List<Operation> written) {
        Map<String, Set<String>> byServer = new TreeMap<>();
        for (Event.FinalRows each : account.rows()) {
            byServer.computeIfAbsent(each.source(), unknown -> new HashSet<>()).addAll(each.rows());
        }
        for (Operation each : written) {
            String row = each.request() instanceof Request.Write write ? write.row() : "";
            List<String> without = byServer.entrySet().stream()
                    .filter(server -> !server.getValue().contains(row))
                    .map(Map.Entry::getKey)
                    .toList();
            if (!without.isEmpty()) {
                boolean lost = without.size() == byServer.size();
                findings.add(
                        lost ? Rule.ACKNOWLEDGED : Rule.AGREEMENT,
                        each.answeredNanos(),
                        "row " + row + " was acknowledged by " + serverOf(each) + " on timeline " + timelineOf(each)
                                + " and is missing at " + without,
                        List.of(each.op()),
                        List.of());
            }
        }
        long readNanos = account.rows().getFirst().atNanos();
        for (String node : account.setting().map(Setting::nodes).orElse(List.of())) {
            if (!byServer.containsKey(node)) {
                findings.add(
                        Rule.AGREEMENT,
                        readNanos,
                        node + " did not show its rows at the end, others did",
                        List.of(),
                        List.of());
            }
        }
    }

    private static long timelineOf(Operation operation) {
        return operation.answer() instanceof Answer.Written written ? written.timeline() : 0;
    }

    private static String serverOf(Operation operation) {
        return operation.answer() instanceof Answer.Written written ? written.server() : "";
    }
}
